import { firstPartyChannel } from '../shared/first-party-channel.ts';
import { manifest } from './manifest.ts';

export const hosted = { manifest, ...firstPartyChannel() };
