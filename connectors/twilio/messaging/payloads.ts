import { z } from 'zod';
import { optionalField } from '../../shared/http.ts';

/** The fields that we use of Twilio's message webhooks. All are strings, because the body is a form. */
export const messageFieldsSchema = z.object({
  AccountSid: z.string(),
  MessageSid: z.string().min(1),
  MessagingServiceSid: optionalField(z.string()),
  From: z.string().min(1),
  To: z.string().min(1),
  Body: optionalField(z.string()),
  NumMedia: optionalField(z.string().regex(/^\d{1,2}$/)),
  /** The delivery status of a message that we sent. */
  MessageStatus: optionalField(z.string().min(1)),
  ErrorCode: optionalField(z.string().regex(/^\d+$/)),
  ErrorMessage: optionalField(z.string().min(1)),
  /** The opt-out keyword of a messaging service with Advanced Opt-Out, which Twilio answers itself. */
  OptOutType: optionalField(z.enum(['STOP', 'START', 'HELP'])),
  ProfileName: optionalField(z.string().min(1)),
  ButtonText: optionalField(z.string()),
  Latitude: optionalField(z.string().min(1)),
  Longitude: optionalField(z.string().min(1)),
  Label: optionalField(z.string().min(1)),
  Address: optionalField(z.string().min(1)),
});

export type MessageFields = z.infer<typeof messageFieldsSchema>;
