// Parses the input as an XML document from memory, and writes it out again if it is well-formed.
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <stddef.h>
#include <stdint.h>

static void ignore(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  xmlInitParser();
  xmlSetGenericErrorFunc(NULL, ignore);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int options = XML_PARSE_NOENT | XML_PARSE_DTDATTR | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET;
  xmlDocPtr document = xmlReadMemory((const char *)data, (int)size, "input.xml", NULL, options);
  if (document != NULL) {
    xmlChar *text = NULL;
    int length = 0;
    xmlDocDumpMemory(document, &text, &length);
    xmlFree(text);
    xmlFreeDoc(document);
  }
  xmlResetLastError();
  return 0;
}
