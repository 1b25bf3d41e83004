/* FuzzFactory's macros for validity, as those of waypoint.h. */
#ifndef WAYPOINT_AFL_VALID_H
#define WAYPOINT_AFL_VALID_H

#include "waypoint.h"

#define ASSUME_OR_RETURN(condition, value) WAYPOINT_ASSUME_(condition, #condition, return value)
#define ASSUME_OR_EXIT(condition) WAYPOINT_ASSUME_(condition, #condition, waypoint_end_run())
#define ASSUME1(condition) WAYPOINT_ASSUME_(condition, #condition, return 1)

#endif
