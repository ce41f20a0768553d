/* llhttp's sources, which Debian ships instead of a library (node-llhttp). */
#include "/usr/share/llhttp/http.c"
