import { AppError } from '../../core/errors.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from './visitor-door.ts';

/** Every route of `app` takes files, where the door does. Throws `attachments_off`. */
export function takeFiles(app: TypedApp): void {
  app.addHook('onRequest', async (request) => {
    if (!visitorDoor.of(request).look.attachments) throw new AppError('attachments_off');
  });
}
