// A picture format of our own, made to be hard in one way: every chunk has a checksum, and nothing is drawn of a file in
// which one is wrong. Has no bug; what counts is how much of `draw` is reached.
//
// file:  "WPS1", then chunks; an incomplete one at the end is left alone
// chunk: type, length of the payload, payload, CRC-32 of all that
//        'S' width, height              'P' colours, 3 bytes each
//        'I' colour numbers, run-length coded: count, colour
//        'T' x, y, text                 'L' x, y, x, y, colour (may be missing)
//        each counts only after the one before it; those of other types, in small letters, are skipped
//
// As decoders do that read a stream, chunks are taken in one by one and checked on the way; a wrong checksum is noticed,
// and the file is given up at the end.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <waypoint.h>

enum { kSize = 1, kPalette = 2, kImage = 4, kText = 8, kRequired = kSize | kPalette | kImage | kText };
enum { kMaxSide = 16, kMaxColours = 16, kMaxLines = 8, kMaxText = 16 };

struct scene {
  unsigned parts, width, height, colours, lines, pixels;
  uint8_t palette[kMaxColours][3];
  uint8_t image[kMaxSide * kMaxSide];
  uint8_t line[kMaxLines][5];
  char text[kMaxText + 1];
  unsigned text_x, text_y;
};

static volatile unsigned drawn;

static uint32_t crc32(const uint8_t *data, size_t size) {
  static uint32_t table[256];
  if (table[1] == 0) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0xEDB88320 : value >> 1;
      table[i] = value;
    }
  }
  uint32_t crc = 0xFFFFFFFF;
  for (size_t i = 0; i < size; i++) crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xFF];
  return ~crc;
}

static uint32_t little_endian(const uint8_t *data) {
  return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

// Whether the chunk makes sense.
static int take(struct scene *scene, uint8_t type, const uint8_t *payload, size_t size) {
  switch (type) {
    case 'S':
      if (size != 2 || payload[0] == 0 || payload[1] == 0) return 0;
      if (payload[0] > kMaxSide || payload[1] > kMaxSide) return 0;
      scene->width = payload[0];
      scene->height = payload[1];
      scene->parts |= kSize;
      return 1;
    case 'P':
      if (!(scene->parts & kSize)) return 1;
      if (size == 0 || size % 3 != 0 || size / 3 > kMaxColours) return 0;
      scene->colours = (unsigned)(size / 3);
      memcpy(scene->palette, payload, size);
      scene->parts |= kPalette;
      return 1;
    case 'I':
      if (!(scene->parts & kPalette)) return 1;
      if (size % 2 != 0) return 0;
      scene->pixels = 0;
      for (size_t i = 0; i < size; i += 2) {
        for (unsigned n = payload[i]; n > 0 && scene->pixels < sizeof scene->image; n--) {
          scene->image[scene->pixels++] = payload[i + 1];
        }
      }
      scene->parts |= kImage;
      return scene->pixels > 0;
    case 'T':
      if (!(scene->parts & kImage)) return 1;
      if (size < 3 || size - 2 > kMaxText) return 0;
      scene->text_x = payload[0];
      scene->text_y = payload[1];
      memcpy(scene->text, payload + 2, size - 2);
      scene->parts |= kText;
      return 1;
    case 'L':
      if (!(scene->parts & kText)) return 1;
      if (size != 5 || scene->lines == kMaxLines) return 0;
      memcpy(scene->line[scene->lines++], payload, 5);
      return 1;
    default:
      // Unknown chunks are skipped, as long as they are optional.
      return type >= 'a' && type <= 'z';
  }
}

// All that lies behind the checksums: nothing is drawn before all is there that a scene must have.
static void draw(const struct scene *scene) {
  if ((scene->parts & kRequired) != kRequired) return;
  drawn++;
  if (scene->colours >= 2) {
    drawn++;
    if (scene->palette[0][0] > scene->palette[1][0]) drawn++;
    if (scene->palette[0][1] == scene->palette[1][1]) drawn++;
    if (scene->colours >= 4) drawn++;
  }
  if (scene->pixels < scene->width * scene->height) {
    drawn++;
  } else {
    unsigned beyond = 0, edges = 0;
    for (unsigned i = 0; i < scene->width * scene->height; i++) {
      if (scene->image[i] >= scene->colours) beyond++;
      if (i > 0 && scene->image[i] != scene->image[i - 1]) edges++;
    }
    if (beyond == 0) {
      drawn++;
      if (edges > 0) drawn++;
      if (edges > 4) drawn++;
      if (scene->width > 1 && scene->height > 1) drawn++;
    }
  }
  for (unsigned i = 0; i < scene->lines; i++) {
    const uint8_t *line = scene->line[i];
    if (line[0] >= scene->width || line[2] >= scene->width) continue;
    if (line[1] >= scene->height || line[3] >= scene->height) continue;
    if (line[4] >= scene->colours) continue;
    drawn++;
    if (line[0] == line[2]) {
      drawn++;
    } else if (line[1] == line[3]) {
      drawn++;
    } else if (line[0] > line[2]) {
      drawn++;
    }
    if (i > 0) drawn++;
  }
  if (scene->text_x < scene->width && scene->text_y < scene->height) {
    drawn++;
    for (const char *c = scene->text; *c; c++) {
      if (*c >= '0' && *c <= '9') drawn++;
      if (*c == '\n') drawn++;
    }
    if (scene->lines > 0) drawn++;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct scene scene;
  memset(&scene, 0, sizeof scene);
  WAYPOINT_ASSUME(size >= 4 && memcmp(data, "WPS1", 4) == 0);
  int sound = 1, sensible = 1;
  for (size_t at = 4; at + 6 <= size && at + 6 + data[at + 1] <= size;) {
    size_t length = data[at + 1];
    if (!take(&scene, data[at], data + at + 2, length)) sensible = 0;
    if (crc32(data + at, length + 2) != little_endian(data + at + 2 + length)) sound = 0;
    at += length + 6;
  }
  WAYPOINT_ASSUME(sound);
  WAYPOINT_ASSUME(sensible);
  draw(&scene);
  return 0;
}
