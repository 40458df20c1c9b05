/** An address below `/dashboard`, with its query, as links and `navigate` take it. */
export function toLink(address: string): { readonly to: string; readonly search: Record<string, string> } {
  const [to = '', query = ''] = address.split('?', 2);
  return { to, search: Object.fromEntries(new URLSearchParams(query)) };
}
