export const placeholder = 'chat';
