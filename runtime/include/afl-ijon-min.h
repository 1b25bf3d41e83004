/* What a source annotated for AFL++ includes. */
#include "ijon.h"
