import { z } from 'zod';
import { lenient } from '../../shared/payload.ts';

/** Of what Twilio posts of a message only what we use; all are strings, for they were fields of a form. */
export const fieldsSchema = z.object({
  AccountSid: z.string(),
  MessageSid: z.string().min(1),
  MessagingServiceSid: lenient(z.string()),
  From: z.string().min(1),
  To: z.string().min(1),
  Body: lenient(z.string()),
  NumMedia: lenient(z.string().regex(/^\d{1,2}$/)),
  /** Of what we sent: what became of it. */
  MessageStatus: lenient(z.string().min(1)),
  ErrorCode: lenient(z.string().regex(/^\d+$/)),
  ErrorMessage: lenient(z.string().min(1)),
  /** Told where the words of a messaging service's own opt-out were written: Twilio answers these itself. */
  OptOutType: lenient(z.enum(['STOP', 'START', 'HELP'])),
  ProfileName: lenient(z.string().min(1)),
  ButtonText: lenient(z.string()),
  Latitude: lenient(z.string().min(1)),
  Longitude: lenient(z.string().min(1)),
  Label: lenient(z.string().min(1)),
  Address: lenient(z.string().min(1)),
});

export type Fields = z.infer<typeof fieldsSchema>;
