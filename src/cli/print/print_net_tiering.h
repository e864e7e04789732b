/* Where used pages belong, and by which kind of request: hecate net --tiering. */
#ifndef CLI_PRINT_PRINT_NET_TIERING_H
#define CLI_PRINT_PRINT_NET_TIERING_H

struct json_writer;
struct network_data;
struct str;

/* Of the snapshot that was last taken. */
void print_net_tiering(const struct network_data *, struct str *out);
void print_net_tiering_json(const struct network_data *, struct json_writer *);

#endif
