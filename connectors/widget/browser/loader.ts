export const placeholder = 'loader';
