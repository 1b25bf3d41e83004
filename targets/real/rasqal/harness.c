// Reads the input as a query or an update of SPARQL and of what rasqal allows beyond it, which is not run.
#include <rasqal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void ignore(void *data, raptor_log_message *message) { (void)data, (void)message; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static rasqal_world *world;
  static raptor_uri *base;
  if (world == NULL) {
    world = rasqal_new_world();
    rasqal_world_open(world);
    rasqal_world_set_log_handler(world, NULL, ignore);
    base = raptor_new_uri(rasqal_world_get_raptor(world), (const unsigned char *)"http://a/");
  }
  rasqal_world_set_default_generate_bnodeid_parameters(world, NULL, 1);  // else counted from run to run
  unsigned char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  rasqal_query *query = rasqal_new_query(world, "laqrs", NULL);
  if (query != NULL) {
    rasqal_query_prepare(query, text, base);  // without one it would be the current folder
    rasqal_free_query(query);
  }
  free(text);
  return 0;
}
