int client_jpeg(void);
