interface CommandErrorOptions {
  /** Stable and machine-readable: the API's own code where the error comes from there. */
  readonly code: string;
  /** What to do next, one line. */
  readonly hint?: string | undefined;
  /** 1: refused or failed. 2: the command line is wrong. */
  readonly exitCode?: 1 | 2;
}

/** A command cannot be carried out. `message` is a sentence for the person who gave it. */
export class CommandError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;

  constructor(message: string, options: CommandErrorOptions) {
    super(message);
    this.name = 'CommandError';
    this.code = options.code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}
