export type { AnswerFrame, FinalFrame, StatusFrame, TokenFrame } from './answer-stream.ts';
export { AnswerStream } from './answer-stream.ts';
export type { components, ErrorCode } from './api-types.ts';
export type { ConversationFilters, ReplyOptions } from './conversations.ts';
export type { WriteOptions } from './documents.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  ParleyError,
  PermissionError,
  RateLimitError,
  ServerError,
  VerificationRequiredError,
  WebhookSignatureError,
} from './errors.ts';
export { identityHash, type VerifiedUser, verificationToken } from './identity.ts';
export {
  type AskingUser,
  type FeedbackOptions,
  Parley,
  type ProvenUser,
  type QueryOptions,
  type QueryRequest,
  type QueryResponse,
} from './parley.ts';
export type { AskOptions, CallOptions, Meta, ParleyOptions, RateLimit, Simulation } from './transport.ts';
export { type Delivery, type VerifyOptions, verifyWebhook, type WebhookEvent } from './webhooks.ts';
