// The generator of types builds them with TypeScript's own parts, which its native version no longer has.
export { ts as default } from '@ts-morph/common';
