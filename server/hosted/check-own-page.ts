import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';

const readOnly = ['GET', 'HEAD'];

/** What changes something comes from the page itself: other sites cannot make a browser do it. */
export function checkOwnPage(app: TypedApp, { config }: Runtime): void {
  app.addHook('onRequest', async ({ method, headers, host }) => {
    if (readOnly.includes(method)) return;
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    const own = [host, config.PUBLIC_URL === undefined ? host : new URL(config.PUBLIC_URL).host];
    const isOwn = origin === undefined || own.includes(URL.parse(origin)?.host ?? '');
    const isSame = site === undefined || site === 'same-origin' || site === 'none';
    if (!isOwn || !isSame)
      throw new AppError('origin_not_allowed', { detail: 'Another site may not post here.' });
  });
}
