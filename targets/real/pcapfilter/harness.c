// Compiles the input as a filter expression, for each kind of link that has words of its own.
#define _GNU_SOURCE
#include <netdb.h>
#include <pcap.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// No name is looked up: an address or a port is a number.
int own_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  struct addrinfo numeric = {0};
  if (hints != NULL) numeric = *hints;
  numeric.ai_flags |= AI_NUMERICHOST | AI_NUMERICSERV;
  return getaddrinfo(node, service, &numeric, result);
}
int own_getprotobyname_r(const char *name, struct protoent *place, char *buffer, size_t size, struct protoent **result) {
  (void)name, (void)place, (void)buffer, (void)size;
  *result = NULL;
  return 0;
}
int own_getnetbyname_r(const char *name, struct netent *place, char *buffer, size_t size, struct netent **result, int *error) {
  (void)name, (void)place, (void)buffer, (void)size, (void)error;
  *result = NULL;
  return 0;
}
int own_ether_hostton(const char *name, void *address) { return (void)name, (void)address, -1; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const int links[] = {DLT_EN10MB, DLT_IEEE802_11, DLT_PFLOG, DLT_SUNATM, DLT_MTP2_WITH_PHDR};
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  for (size_t i = 0; i < sizeof links / sizeof *links; ++i) {
    struct bpf_program program;
    pcap_t *capture = pcap_open_dead(links[i], 65535);
    if (capture == NULL) continue;
    if (pcap_compile(capture, &program, text, 0, PCAP_NETMASK_UNKNOWN) == 0) pcap_freecode(&program);
    pcap_close(capture);
  }
  free(text);
  return 0;
}
