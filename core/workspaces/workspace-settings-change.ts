import { z } from 'zod';
import { workspaceSettingsSchema } from './workspace-settings.ts';

const { shape } = workspaceSettingsSchema;

/** What a change of settings may hold: the settings themselves, or null for one that is to be cleared. */
export const workspaceSettingsChangeSchema = z.object({
  nlweb_enabled: shape.nlweb_enabled.nullable(),
  mcp_enabled: shape.mcp_enabled.nullable(),
  description: shape.description.nullable(),
  fallback_message: shape.fallback_message.nullable(),
  audiences: shape.audiences.nullable(),
  require_identity_verification: shape.require_identity_verification.nullable(),
  strictness: shape.strictness.nullable(),
  allowed_domains: shape.allowed_domains.nullable(),
  sla: shape.sla.nullable(),
  retention_days: shape.retention_days.nullable(),
  model: shape.model.nullable(),
  mask_secrets: shape.mask_secrets.nullable(),
  skills: shape.skills.nullable(),
  support_hours: shape.support_hours.nullable(),
  escalate_after_fallbacks: shape.escalate_after_fallbacks.nullable(),
});
