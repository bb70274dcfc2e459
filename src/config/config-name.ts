export const CONFIG_NAME = "relais.config.json";
