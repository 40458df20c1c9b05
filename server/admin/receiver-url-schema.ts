import { z } from 'zod';

/** An address of the owner's that this server calls. */
export const receiverUrlSchema = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine(namesNobody);

/** Who is called signs nothing in: a password in an address would be shown wherever the address is. */
function namesNobody(address: string): boolean {
  const url = URL.parse(address);
  return url?.username === '' && url.password === '';
}
