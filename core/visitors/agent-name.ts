/** What visitors are told of a person whose address is known: `ada.lovelace@shop.example` is Ada Lovelace. */
export function agentName(address: string): string {
  const [local = ''] = address.split('@', 1);
  const words = local.split(/[^\p{L}\p{M}']+/u).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toLocaleUpperCase('en') + word.slice(1)).join(' ') || '…';
}
