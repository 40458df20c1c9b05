/** As a message is kept, here and of channels, that holds no words. */
export const nothingButFiles = '/file';
