import { ownChannelHooks } from '../contract/contract-hooks.ts';

export const hooks = ownChannelHooks({ slug: 'shop' });
