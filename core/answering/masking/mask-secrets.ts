import { isCardNumber } from './is-card-number.ts';
import { isIban } from './is-iban.ts';
import { maskChecked } from './mask-checked.ts';
import { maskCredentials } from './mask-credentials.ts';

const iban = {
  begun: /(?<![\p{L}\p{N}])(?=([a-z]{2}\d{2}(?:[\p{Zs}\p{Pd}.]?[a-z\d]){11,30}))/giu,
  isOne: (compact: string) => isIban(compact.toUpperCase()),
  mask: '[iban]',
};
const card = {
  begun: /(?<![\p{L}\p{N}])(?=(\d(?:[\p{Zs}\p{Pd}.]{0,2}\d){12,18}))/gu,
  isOne: isCardNumber,
  mask: '[card]',
};

/**
 * A text without what nobody else needs to know: payment cards, bank accounts, keys and passwords, each replaced by a
 * word in brackets. Numbers come first: a name such as "PIN" before one would take its first group only.
 */
export function maskSecrets(text: string): string {
  return maskCredentials(maskChecked(maskChecked(text, iban), card));
}
