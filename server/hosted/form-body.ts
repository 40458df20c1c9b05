import type { TypedApp } from '../typed-app.ts';

/** Bodies are forms of a page: of a field that is given twice the last one. */
export function formBody(app: TypedApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text))),
  );
}
