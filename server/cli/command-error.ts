interface CommandErrorOptions {
  /** Stable and machine-readable. Errors of the API keep their code. */
  readonly code: string;
  /** The next step for the user, on one line. */
  readonly hint?: string | undefined;
  /** 1: the command failed. 2: the command line is invalid. */
  readonly exitCode?: 1 | 2;
}

/** A command cannot be carried out. `message` is a sentence for the user. */
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
