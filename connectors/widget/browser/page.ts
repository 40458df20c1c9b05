export const placeholder = 'page';
