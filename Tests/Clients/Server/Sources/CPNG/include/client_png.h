int client_png(void);
