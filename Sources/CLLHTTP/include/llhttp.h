/* llhttp's own header, where Debian's package node-llhttp puts it. llhttp's sources ask for it by
 * this name. */
#include "/usr/share/include/llhttp/llhttp.h"
