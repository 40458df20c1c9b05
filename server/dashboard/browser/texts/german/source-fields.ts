import type { Catalogue } from '../english.ts';

/** `kind.field` where a kind of source has words of its own, otherwise `field`. */
export const sourceFields: Catalogue['sourceFields'] = {
  'folder.path': { title: 'Ordner', description: 'X.' },
};
