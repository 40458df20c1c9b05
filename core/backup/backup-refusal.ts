/** A backup cannot be taken or used. `message` is one line that says why and what to do. */
export class BackupRefusal extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BackupRefusal';
  }
}
