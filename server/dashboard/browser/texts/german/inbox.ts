import type { Catalogue } from '../english.ts';

/** Die Liste der Unterhaltungen, ihre Ansichten, Filter und Aktionen. */
export const inbox: Catalogue['inbox'] = {
  title: 'Posteingang',
};
