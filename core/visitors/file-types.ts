/** What may be sent, with the endings that names of it have: the first is given to names that have none of them. */
export const fileEndings = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'log', 'md'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export const fileTypes = Object.keys(fileEndings);
