/** Without what stands behind `+`, in small letters: by that two addresses of one mailbox are the same. */
export function bareAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^([^@+]*)\+[^@]*@/, '$1@');
}
