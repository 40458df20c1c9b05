import { z } from 'zod';
import { optionalField } from '../../shared/payload.ts';

/** Of what Twilio posts of a message only what we use; all are strings, for they were fields of a form. */
export const messageFieldsSchema = z.object({
  AccountSid: z.string(),
  MessageSid: z.string().min(1),
  MessagingServiceSid: optionalField(z.string()),
  From: z.string().min(1),
  To: z.string().min(1),
  Body: optionalField(z.string()),
  NumMedia: optionalField(z.string().regex(/^\d{1,2}$/)),
  /** Of what we sent: what became of it. */
  MessageStatus: optionalField(z.string().min(1)),
  ErrorCode: optionalField(z.string().regex(/^\d+$/)),
  ErrorMessage: optionalField(z.string().min(1)),
  /** Told where the words of a messaging service's own opt-out were written: Twilio answers these itself. */
  OptOutType: optionalField(z.enum(['STOP', 'START', 'HELP'])),
  ProfileName: optionalField(z.string().min(1)),
  ButtonText: optionalField(z.string()),
  Latitude: optionalField(z.string().min(1)),
  Longitude: optionalField(z.string().min(1)),
  Label: optionalField(z.string().min(1)),
  Address: optionalField(z.string().min(1)),
});

export type MessageFields = z.infer<typeof messageFieldsSchema>;
