import { ownChannelHooks } from '../contract/contract-hooks.ts';

export const hooks = ownChannelHooks({ allowed_domains: ['shop.example'], title: 'Questions?' });
