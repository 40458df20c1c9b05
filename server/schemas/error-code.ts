import { type ErrorCode, errorCatalogue } from '../../core/errors.ts';

/** `name` as a code of the registry; undefined when it is none. */
export function errorCode(name: string | undefined): ErrorCode | undefined {
  return name !== undefined && isErrorCode(name) ? name : undefined;
}

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(errorCatalogue, name);
}
