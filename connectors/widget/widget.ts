import { speaksForItself } from '../shared/speaks-for-itself.ts';
import { manifest } from './manifest.ts';

export const widget = { manifest, ...speaksForItself() };
