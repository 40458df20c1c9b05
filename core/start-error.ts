/**
 * The process cannot start or go on, and an operator can mend it. `message` is one line that says what is wrong
 * and what to do; it is printed as it is, without a stack, and the exit code is 1.
 */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}
