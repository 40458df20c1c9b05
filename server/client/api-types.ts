// Made by npm run types:api from /openapi.json; a test checks that it is up to date.

/** The `code` of an error, as the service answers it. */
export type ErrorCode =
  | 'missing_field'
  | 'invalid_workspace_id'
  | 'message_too_long'
  | 'unknown_model'
  | 'unknown_field'
  | 'invalid_simulation'
  | 'invalid_json'
  | 'invalid_multipart'
  | 'malformed_request'
  | 'missing_auth'
  | 'malformed_auth'
  | 'invalid_key'
  | 'expired_key'
  | 'invalid_session'
  | 'invalid_signature'
  | 'workspace_access_denied'
  | 'insufficient_scope'
  | 'test_key_required'
  | 'network_not_allowed'
  | 'feature_not_in_plan'
  | 'verification_required'
  | 'install_in_other_browser'
  | 'install_declined'
  | 'attachments_off'
  | 'origin_not_allowed'
  | 'permission_denied'
  | 'proof_required'
  | 'cross_site_request'
  | 'sign_in_with_provider'
  | 'provider_sign_in_failed'
  | 'sign_in_provider_not_found'
  | 'model_key_not_found'
  | 'domain_not_found'
  | 'domain_taken'
  | 'domain_not_claimable'
  | 'sign_in_untested'
  | 'no_emergency_exit'
  | 'mail_not_set_up'
  | 'member_exists'
  | 'last_owner'
  | 'member_not_found'
  | 'session_not_found'
  | 'already_begun'
  | 'invitation_not_found'
  | 'link_expired'
  | 'workspace_not_found'
  | 'conversation_not_found'
  | 'message_not_found'
  | 'attachment_not_found'
  | 'correction_offer_not_found'
  | 'fact_conflict_not_found'
  | 'document_not_found'
  | 'document_exists'
  | 'document_content_gone'
  | 'page_unavailable'
  | 'list_of_pages'
  | 'source_not_found'
  | 'source_running'
  | 'source_not_running'
  | 'source_not_held'
  | 'source_paused'
  | 'too_many_changes'
  | 'source_hook_not_found'
  | 'source_hook_unavailable'
  | 'hook_secret_not_sent'
  | 'too_many_sources'
  | 'source_item_not_found'
  | 'source_block_not_found'
  | 'source_rule_not_found'
  | 'too_many_source_rules'
  | 'unknown_source_kind'
  | 'source_kind_unavailable'
  | 'key_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'skill_not_found'
  | 'snippet_not_found'
  | 'note_not_found'
  | 'not_your_note'
  | 'view_not_found'
  | 'action_not_found'
  | 'action_not_undoable'
  | 'rating_not_asked'
  | 'conversation_moved_on'
  | 'draft_moved_on'
  | 'tag_not_found'
  | 'channel_not_found'
  | 'queue_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'install_link_not_found'
  | 'receive_timeout'
  | 'duplicate_request_id'
  | 'slug_taken'
  | 'webhook_disabled'
  | 'skill_name_taken'
  | 'snippet_name_taken'
  | 'too_many_skills'
  | 'channel_unreachable'
  | 'channel_window_closed'
  | 'tenant_taken'
  | 'app_not_installable'
  | 'no_public_address'
  | 'encryption_key_configured'
  | 'encryption_key_shared'
  | 'copy_not_possible'
  | 'no_public_token'
  | 'key_expired'
  | 'plan_downgrade_blocked'
  | 'too_many_files'
  | 'too_many_reply_files'
  | 'files_not_possible'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'unknown_parent'
  | 'credentials_required'
  | 'tenancy_not_supported'
  | 'unknown_channel'
  | 'channel_verification_failed'
  | 'ambiguous_person'
  | 'misdirected_request'
  | 'headers_too_large'
  | 'rate_limit_minute'
  | 'challenge_required'
  | 'rate_limit_day'
  | 'rate_limit_concurrent'
  | 'quota_exhausted'
  | 'internal_error'
  | 'model_provider_error'
  | 'upstream_timeout'
  | 'attachment_unavailable'
  | 'provider_down'
  | 'deploying'
  | 'storage_unavailable'
  | 'event_not_stored'
  | 'not_ready'
  | 'request_timeout'
  | 'invalid_body'
  | 'weak_password'
  | 'invalid_actor'
  | 'invalid_action'
  | 'invalid_conversations'
  | 'invalid_role'
  | 'invalid_workspaces'
  | 'invalid_scopes'
  | 'invalid_allowed_networks'
  | 'invalid_issuer'
  | 'invalid_client_id'
  | 'invalid_client_secret'
  | 'invalid_api_key'
  | 'invalid_domains'
  | 'invalid_default_role'
  | 'invalid_required'
  | 'invalid_token'
  | 'invalid_password'
  | 'invalid_language'
  | 'invalid_time_zone'
  | 'invalid_theme'
  | 'invalid_query'
  | 'invalid_top_k'
  | 'invalid_temperature'
  | 'invalid_strictness'
  | 'invalid_audience'
  | 'invalid_document_ids'
  | 'invalid_conversation_id'
  | 'invalid_session_id'
  | 'invalid_user'
  | 'invalid_model'
  | 'invalid_messages'
  | 'invalid_tools'
  | 'invalid_stream'
  | 'invalid_verification_token'
  | 'invalid_metadata'
  | 'invalid_idempotency_key'
  | 'invalid_cursor'
  | 'invalid_limit'
  | 'invalid_order'
  | 'invalid_parent'
  | 'invalid_credentials'
  | 'invalid_kind'
  | 'invalid_include'
  | 'invalid_exclude'
  | 'invalid_max_items'
  | 'invalid_schedule_minutes'
  | 'invalid_documents'
  | 'invalid_run'
  | 'invalid_state'
  | 'invalid_channel_id'
  | 'invalid_channel'
  | 'invalid_tag'
  | 'invalid_month'
  | 'invalid_range'
  | 'invalid_since'
  | 'invalid_until'
  | 'invalid_q'
  | 'invalid_email'
  | 'invalid_view'
  | 'invalid_sort'
  | 'invalid_assignee'
  | 'invalid_assignee_id'
  | 'invalid_mentions'
  | 'invalid_unread'
  | 'invalid_waiting'
  | 'invalid_has_draft'
  | 'invalid_position'
  | 'invalid_sla_state'
  | 'invalid_feedback'
  | 'invalid_confidence'
  | 'invalid_tier'
  | 'invalid_act'
  | 'invalid_reviewed'
  | 'invalid_to_review'
  | 'invalid_verdict'
  | 'invalid_value'
  | 'invalid_comment'
  | 'invalid_author_email'
  | 'invalid_tags'
  | 'invalid_priority'
  | 'invalid_internal_notes'
  | 'invalid_customer'
  | 'invalid_snooze_until'
  | 'invalid_site'
  | 'invalid_locale'
  | 'invalid_previous_responses'
  | 'invalid_prev'
  | 'invalid_decontextualized_query'
  | 'invalid_context'
  | 'invalid_prefer'
  | 'invalid_meta'
  | 'invalid_generate_mode'
  | 'invalid_query_id'
  | 'invalid_mode'
  | 'invalid_streaming'
  | 'invalid_wait'
  | 'invalid_status'
  | 'invalid_name'
  | 'reserved_name'
  | 'invalid_plan'
  | 'invalid_owner'
  | 'invalid_grace_seconds'
  | 'invalid_settings'
  | 'invalid_rate_limit_minute'
  | 'invalid_rate_limit_day'
  | 'invalid_expires_at'
  | 'invalid_title'
  | 'invalid_url'
  | 'invalid_events'
  | 'invalid_description'
  | 'invalid_parameters'
  | 'invalid_timeout_seconds'
  | 'invalid_runs_for'
  | 'invalid_arguments'
  | 'invalid_phone'
  | 'invalid_user_id'
  | 'invalid_enabled'
  | 'invalid_content'
  | 'invalid_content_type'
  | 'invalid_ids'
  | 'invalid_restorable'
  | 'invalid_file'
  | 'invalid_files'
  | 'invalid_score'
  | 'curated_answer_without_text'
  | 'invalid_test_question'
  | 'curated_answer_not_found'
  | 'curated_answer_exists'
  | 'curated_document'
  | 'too_many_curated_answers'
  | 'gap_not_found'
  | 'gap_language_differs'
  | 'test_question_not_found'
  | 'ticket_import_not_found'
  | 'imported_ticket_not_found'
  | 'test_run_not_found'
  | 'change_set_not_found'
  | 'change_item_not_found'
  | 'test_running'
  | 'ticket_import_running'
  | 'too_many_ticket_imports'
  | 'no_test_questions'
  | 'change_set_closed'
  | 'change_set_empty'
  | 'change_set_not_ready'
  | 'change_set_not_green'
  | 'change_set_conflict'
  | 'change_set_too_old'
  | 'change_set_too_large'
  | 'change_set_full'
  | 'too_many_test_questions';

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        QueryRequest: {
            /** @description Defaults to the workspace of the key. */
            workspaceId?: string | null;
            query: string;
            /** @description Continues a conversation. If it is absent, null or empty, a new one starts. */
            conversationId?: string | null;
            /**
             * @description The maximum number of found passages that the answer may use. A quoted one is shown with its whole section. If it is absent and a language model answers, up to 30. A model reads at most 6,000 characters of them.
             * @default 5
             */
            topK?: number | null;
            /** @description How freely the language model phrases the answer. */
            temperature?: number | null;
            /**
             * @description strict answers from the documents only. fallback lets the language model answer from general knowledge if they contain no answer, with confidence low. Defaults to the setting of the workspace.
             * @enum {string|null}
             */
            strictness?: "strict" | "fallback" | null;
            /** @default [] */
            audience?: string[] | null;
            /** @description Restricts the search to these documents. */
            documentIds?: string[] | null;
            sessionId?: string | null;
            user?: {
                userId: string;
                /** @description The lower-case hexadecimal HMAC-SHA256 of user_id with the workspace's identity secret as the key. */
                hash?: string | null;
                name?: string | null;
                email?: string | null;
            } | null;
            /** @description A JWT (HS256) that is signed with the identity secret. */
            verificationToken?: string | null;
            /** @description Free context, such as page_url. It is stored with the question and does not influence the answer. At most 16 KB of JSON, otherwise `422 invalid_metadata`. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        QueryResponse: {
            answer: string;
            sources: components["schemas"]["Source"][];
            /** @description Which sentence rests on which passage, in order. Empty for small talk and the fallback message. */
            citations: components["schemas"]["Citation"][];
            conversationId: string;
            messageId: string;
            /** @description The same as message_id. */
            queryId: string;
            tokensUsed: number;
            skillsFired: string[];
            latencyMs: number;
            /**
             * @description low means that the documents contain no answer, or that the answer is unsure.
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /**
             * @description maybe shows a section that may be the answer and says so. none is the fallback, or text that no document supports.
             * @enum {string}
             */
            tier: "answer" | "maybe" | "none";
            /** @description The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills. */
            probability: number | null;
            /** @description Whether a language model wrote any of the text. */
            aiGenerated: boolean;
            /** @description Whether the text is quoted from documents. */
            quoted: boolean;
            /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
            lead: string | null;
        };
        ConversationPage: {
            conversations: components["schemas"]["Conversation"][];
            pagination: components["schemas"]["Pagination"];
        };
        ConversationFilters: {
            /** @default 20 */
            limit?: number;
            /** @enum {string} */
            channel?: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            /** @enum {string} */
            status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @description Repeat the parameter for several tags: a conversation must have all of them. */
            tag?: string[];
            /**
             * Format: date-time
             * @description Returns conversations that started after this time.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Returns conversations that started before this time.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Returns conversations with a message, a change, a note or feedback at or after this time. When you poll, start one minute before your last request: a change can become visible shortly after its timestamp.
             */
            updatedSince?: string;
            /** @description Words that one message of the conversation contains, in any form and order. */
            q?: string;
            /**
             * Format: email
             * @description The email address of the customer.
             */
            email?: string;
            /** @description The integrator's id of the visitor, proven or stated. */
            userId?: string;
            /** @description The session that an API caller named. */
            sessionId?: string;
            channelId?: string;
            /** @description At most three fields of the metadata with their exact values, which are strings. */
            metadata?: {
                [key: string]: string;
            };
            /** @description A part of the name, address or phone number of the customer. */
            customer?: string;
            /** @enum {string} */
            priority?: "low" | "normal" | "high" | "urgent";
            /**
             * @description Whether the visitor waits for a person.
             * @enum {string}
             */
            waiting?: "true" | "false";
            /** @enum {string} */
            slaState?: "in_compliance" | "at_risk" | "breached";
            /**
             * @description The rating that the visitor gave to one of the answers.
             * @enum {string}
             */
            feedback?: "up" | "down";
        };
        ConversationChange: {
            /** @enum {string|null} */
            status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
            /** @description Replaces all existing tags. */
            tags?: string[] | null;
            /** @enum {string|null} */
            priority?: "low" | "normal" | "high" | "urgent" | null;
            /** @description Appended to the existing notes. */
            internalNotes?: {
                content: string;
                /** @description The email address of the acting agent. Replaces the name of the API key as the author. */
                authorEmail?: string | null;
            }[] | null;
            /** @description Contact details of the customer. Null deletes a value. */
            customer?: {
                email?: string | null;
                name?: string | null;
                phone?: string | null;
            } | null;
            /** @description Fields to set. Null removes a field, and others keep their values. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description When a snoozed conversation opens again. Required if status is snoozed. */
            snoozeUntil?: string | null;
        };
        /** @description Messages, notes and changes are sorted with the oldest first. */
        ConversationView: {
            id: string;
            workspaceId: string;
            /** @description Whether test keys alone see it. */
            test: boolean;
            /** @enum {string} */
            channel: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            /** @description The channel that the conversation came through. Null for the API, and if the widget or page was removed. */
            channelId: string | null;
            /** @enum {string} */
            status: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            lastMessageAt: string;
            /**
             * Format: date-time
             * @description Resolved conversations only.
             */
            resolvedAt?: string;
            /** @description When a snoozed conversation opens again. */
            snoozeUntil: string | null;
            messageCount: number;
            /** @description All fields are null for an anonymous visitor. */
            customer: {
                email: string | null;
                /** @description True if the address comes from a verification_token or the channel's platform confirms it. False if it is only claimed, also with user.hash. Null if there is no address. */
                emailVerified: boolean | null;
                name: string | null;
                phone: string | null;
            };
            /** @description The integrator's id of the visitor. */
            userId: string | null;
            /** @description Whether user_id was proven with user.hash or a verification_token. False if it is only stated. */
            userVerified: boolean;
            /** @description The API channel only. */
            sessionId: string | null;
            /** @description The metadata of the visitor's messages, merged: later values count. At most 16 KB. */
            metadata: {
                [key: string]: unknown;
            } | null;
            tags: string[];
            /** @enum {string} */
            slaState: "in_compliance" | "at_risk" | "breached";
            messages: components["schemas"]["Message"][];
            internalNotes: components["schemas"]["Note"][];
            auditLog: components["schemas"]["AuditEntry"][];
            /** @description The platform's reply window, after which no reply is possible until the visitor writes again. Null if the platform has none. */
            replyWindow: {
                open: boolean;
                /** @description Null if the visitor has never written. */
                closesAt: string | null;
            } | null;
        };
        MessagePage: {
            messages: components["schemas"]["Message"][];
            pagination: components["schemas"]["Pagination"];
        };
        NewFeedback: {
            /** @description Null removes the rating and its comment. */
            value: ("up" | "down") | null;
            /** @description A comment in the visitor's own words. If it is left out, an earlier comment on the same value is kept. */
            comment?: string | null;
        };
        Message: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "agent";
            content: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Assistant messages only. */
            sources?: components["schemas"]["Source"][];
            /** @description Assistant messages only: which sentence rests on which passage. */
            citations?: components["schemas"]["Citation"][];
            /** @description Assistant messages only. */
            tokensUsed?: number;
            /**
             * Format: date-time
             * @description User messages only: when the visitor last edited the message on the platform.
             */
            editedAt?: string;
            /**
             * Format: date-time
             * @description User messages only: when the visitor deleted the message on the platform. Its content is empty.
             */
            deletedAt?: string;
            /** @description Assistant messages only: the visitor's rating. Null if there is none. */
            feedback?: {
                /** @enum {string} */
                value: "up" | "down";
                comment: string | null;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description The delivery of assistant and agent messages to the platform. Null on channels without delivery: the API channel, the widget and the hosted page, which fetch messages themselves. */
            delivery?: components["schemas"]["MessageDelivery"] | null;
            /** @description Assistant and agent messages only: why the message is incomplete. cancelled: the client disconnected, or an agent took over. timed_out: it took longer than 30 seconds. failed: an error ended it. Null if it is complete. */
            ended?: ("cancelled" | "timed_out" | "failed") | null;
            /** @description Assistant messages only, like the fields from score to lead. Each is null if unknown. */
            confidence?: ("high" | "medium" | "low") | null;
            /** @description The calibrated score of the best passage, from 0 to 1. */
            score?: number | null;
            latencyMs?: number | null;
            skillsFired?: string[] | null;
            tier?: ("answer" | "maybe" | "none") | null;
            /** @description The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills. */
            probability?: number | null;
            aiGenerated?: boolean | null;
            quoted?: boolean | null;
            /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
            lead?: string | null;
            /** @description Assistant messages only: the sentence that a machine answers, which went out before the content. Null if none did. */
            disclosure?: string | null;
            /** @description User messages only: what the request sent with it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description User and agent messages with files only: the description of each file. */
            attachments?: {
                /** @enum {string} */
                kind: "image" | "audio" | "video" | "file" | "other";
                name: string | null;
                contentType: string | null;
                bytes: number | null;
                /** @description Files of agents only: a link that needs no credential. */
                url?: string;
                /** @description The words of a recording, as a model heard them. They are part of `content`. */
                transcript?: string;
                /** @description What a picture shows, as a model saw it. */
                description?: string;
            }[];
            /** @description Agent messages only: the author. */
            author?: string | null;
        };
        NewNote: {
            content: string;
            /** @description The email address of the acting agent. Replaces the name of the API key as the author. */
            authorEmail?: string | null;
        };
        Note: {
            id: string;
            conversationId: string;
            content: string;
            /** @description The name of the API key, or the author_email that was given. */
            author: string;
            /** Format: date-time */
            createdAt: string;
        };
        KeyOwner: {
            key: {
                id: string;
                name: string;
                scopes: ("query" | "search" | "conversations:read" | "conversations:write" | "conversations:reply" | "documents:read" | "documents:write" | "events:read" | "webhooks:write" | "channels:write" | "usage:read" | "people:write")[];
                /**
                 * @description Whether the key reaches its own workspace only, or all of its owner.
                 * @enum {string}
                 */
                workspaces: "own" | "owner";
                /** @enum {string} */
                mode: "live" | "test";
                /** @description Null: never. */
                expiresAt: string | null;
            };
            /** @description The workspace that a request without workspace_id means. */
            workspaceId: string;
            workspaceName: string;
            owner: string;
            /** @enum {string} */
            plan: "free" | "starter" | "growth" | "business" | "enterprise";
            /** @description Requests of the key. */
            limits: {
                minute: number;
                day: number;
            };
            /** @description The messages of this month, of all the owner's workspaces. */
            usage: {
                messages: number;
                /** @description Null: unlimited. */
                quota: number | null;
                /** Format: date-time */
                resetsAt: string;
            };
        };
        DocumentPage: {
            documents: components["schemas"]["ListedDocument"][];
            pagination: components["schemas"]["Pagination"];
        };
        DocumentFilters: {
            /** @default 20 */
            limit?: number;
            /** @description Only documents with this text in their title, URL or file name. */
            q?: string;
            /** @enum {string} */
            status?: "queued" | "indexing" | "indexed" | "failed";
            /** @description An audience tag, or * for documents that everybody may read. */
            audience?: string;
            /** @description Only documents of this source. */
            sourceId?: string;
            /**
             * @description Last changed first, most answers first, or highest share of thumbs down first.
             * @default updated
             * @enum {string}
             */
            sort?: "updated" | "answers" | "disliked";
        };
        NewDocument: {
            title?: string | null;
            /**
             * Format: uri
             * @description Replaces a document with the same URL.
             */
            url?: string | null;
            /** @default [] */
            audience?: string[] | null;
            /** @description The text of the document. Required if there is no file. */
            content?: string | null;
            /** @enum {string|null} */
            contentType?: "text/plain" | "text/markdown" | "text/html" | null;
            /**
             * Format: binary
             * @description PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV; with OCR also PNG, JPEG, TIFF and WebP.
             */
            file?: string | null;
        };
        Document: {
            id: string;
            workspaceId: string;
            title: string;
            url: string | null;
            fileName: string | null;
            contentType: string | null;
            audience: string[];
            /** @enum {string} */
            status: "queued" | "indexing" | "indexed" | "failed" | "deleted";
            /** @description The indexed share in per cent. */
            progress: number;
            /** @description Why indexing failed, and what to do. */
            failure: {
                code: string;
                reason: string;
            } | null;
            /** @description Where it came from; null if that was not stored. */
            origin: ("file" | "text" | "page" | "demo" | "source" | "curated") | null;
            /** @description The source that keeps it in step; null if none does. */
            sourceId: string | null;
            /** @description Whether answers use an indexed text of it. */
            answering: boolean;
            bytes: number;
            chunks: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            indexedAt: string | null;
        };
        SearchRequest: {
            query: string;
            /** @default 5 */
            topK?: number | null;
            /** @default [] */
            audience?: string[] | null;
            documentIds?: string[] | null;
        };
        SearchResponse: {
            results: components["schemas"]["SearchResult"][];
        };
        NewReply: {
            /** @description The reply in Markdown. Required without `file_ids`. */
            content?: string | null;
            /**
             * @description Ids of files that the caller uploaded in this conversation, at most 5.
             * @default []
             */
            fileIds?: string[] | null;
            /** @description The id of a reply, to send its text and files again. Then `content` and `file_ids` are absent. */
            resendOf?: string | null;
            /**
             * Format: email
             * @description The email address of the agent. Required with the operator token and an API key; a signed-in person can only state their own.
             */
            authorEmail?: string | null;
            /** @description The last message that the agent has seen: if there are newer ones, nothing is sent. */
            afterMessageId?: string | null;
            /**
             * @description Resolves the conversation with the reply.
             * @default false
             */
            resolve?: boolean | null;
            /** @description What else changes with the reply. Nothing changes if the reply is refused, and nothing is sent if a change is. An API key also needs the scope conversations:write for it. */
            change?: {
                /** @enum {string|null} */
                status?: "open" | "claimed" | "escalated" | "snoozed" | "archived" | null;
                /** @description Null returns it to the queue. */
                assigneeId?: string | null;
                /** @description Replaces all existing tags. */
                tags?: string[] | null;
                /** @enum {string|null} */
                priority?: "low" | "normal" | "high" | "urgent" | null;
                snoozeUntil?: string | null;
            } | null;
        };
        AgentReply: {
            id: string;
            /** @constant */
            role: "agent";
            content: string;
            author: string;
            /** Format: date-time */
            createdAt: string;
            attachments?: {
                /** @enum {string} */
                kind: "image" | "audio" | "video" | "file" | "other";
                name: string | null;
                contentType: string | null;
                bytes: number | null;
                /** @description Files of agents only: a link that needs no credential. */
                url?: string;
                /** @description The words of a recording, as a model heard them. They are part of `content`. */
                transcript?: string;
                /** @description What a picture shows, as a model saw it. */
                description?: string;
            }[];
            /** @description Null if the conversation has no channel: the reply is stored, and nothing is sent. */
            delivery: components["schemas"]["MessageDelivery"] | null;
        };
        DocumentFile: {
            title?: string;
            /**
             * Format: uri
             * @description Replaces a document with the same URL.
             */
            url?: string;
            /** @default [] */
            audience?: string[];
            /**
             * Format: binary
             * @description PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV; with OCR also PNG, JPEG, TIFF and WebP.
             */
            file: string;
        };
        /** @description The last frame of an answer that is complete and stored. */
        FinalFrame: {
            sources: components["schemas"]["Source"][];
            /** @description Which sentence rests on which passage, in order. Empty for small talk and the fallback message. */
            citations: components["schemas"]["Citation"][];
            conversationId: string;
            messageId: string;
            /** @description The same as message_id. */
            queryId: string;
            tokensUsed: number;
            skillsFired: string[];
            /**
             * @description low means that the documents contain no answer, or that the answer is unsure.
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /**
             * @description maybe shows a section that may be the answer and says so. none is the fallback, or text that no document supports.
             * @enum {string}
             */
            tier: "answer" | "maybe" | "none";
            /** @description The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills. */
            probability: number | null;
            /** @description Whether a language model wrote any of the text. */
            aiGenerated: boolean;
            /** @description Whether the text is quoted from documents. */
            quoted: boolean;
            /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
            lead: string | null;
            /** @constant */
            token: "";
            /** @constant */
            done: true;
        };
        /** @description Sent at the beginning of each stage, in order. */
        StatusFrame: {
            /** @constant */
            event: "status";
            /** @enum {string} */
            stage: "understanding" | "searching" | "reading" | "writing";
            /** @description A description of the stage, for people. */
            text: string;
        };
        Conversation: {
            id: string;
            workspaceId: string;
            /** @description Whether test keys alone see it. */
            test: boolean;
            /** @enum {string} */
            channel: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            /** @description The channel that the conversation came through. Null for the API, and if the widget or page was removed. */
            channelId: string | null;
            /** @enum {string} */
            status: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            lastMessageAt: string;
            /**
             * Format: date-time
             * @description Resolved conversations only.
             */
            resolvedAt?: string;
            /** @description When a snoozed conversation opens again. */
            snoozeUntil: string | null;
            messageCount: number;
            /** @description All fields are null for an anonymous visitor. */
            customer: {
                email: string | null;
                /** @description True if the address comes from a verification_token or the channel's platform confirms it. False if it is only claimed, also with user.hash. Null if there is no address. */
                emailVerified: boolean | null;
                name: string | null;
                phone: string | null;
            };
            /** @description The integrator's id of the visitor. */
            userId: string | null;
            /** @description Whether user_id was proven with user.hash or a verification_token. False if it is only stated. */
            userVerified: boolean;
            /** @description The API channel only. */
            sessionId: string | null;
            /** @description The metadata of the visitor's messages, merged: later values count. At most 16 KB. */
            metadata: {
                [key: string]: unknown;
            } | null;
            tags: string[];
            /** @enum {string} */
            slaState: "in_compliance" | "at_risk" | "breached";
        };
        ListedDocument: {
            id: string;
            workspaceId: string;
            title: string;
            url: string | null;
            fileName: string | null;
            contentType: string | null;
            audience: string[];
            /** @enum {string} */
            status: "queued" | "indexing" | "indexed" | "failed" | "deleted";
            /** @description The indexed share in per cent. */
            progress: number;
            /** @description Why indexing failed, and what to do. */
            failure: {
                code: string;
                reason: string;
            } | null;
            /** @description Where it came from; null if that was not stored. */
            origin: ("file" | "text" | "page" | "demo" | "source" | "curated") | null;
            /** @description The source that keeps it in step; null if none does. */
            sourceId: string | null;
            /** @description Whether answers use an indexed text of it. */
            answering: boolean;
            bytes: number;
            chunks: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            indexedAt: string | null;
            /** @description Answers of the last 30 days that rest on the document, how many of them visitors rated, and how many of these with a thumbs down. Counted every five minutes. */
            use: {
                answers: number;
                rated: number;
                disliked: number;
            };
        };
        Source: {
            documentId: string;
            chunkId: string;
            title: string;
            /** @description The same as title. */
            documentName: string;
            url: string | null;
            /** @description The headings above the passage, outermost first, without the title. */
            headings: string[];
            /** @description When the document was changed last, as the answer was written. Null if a language model wrote it, and for passages that no section of the answer is near. */
            changedAt: string | null;
            /** @description The exact text of the passage. */
            chunk: string;
            /** @description The same as chunk. */
            chunkText: string;
            /** @description Where in its document the passage stands. Null if the format does not tell. */
            place: {
                /** @enum {string} */
                kind: "page" | "slide" | "rows";
                /** @description In words: `page 112`. In German for a German passage. */
                label: string;
                /** @description The first page, slide or row, from 1. */
                from: number;
                /** @description The last page, slide or row. */
                to: number;
                /** @description rows: the name of the sheet. */
                sheet: string | null;
                /** @description The address of the document at this place. */
                url: string | null;
            } | null;
            score: number;
            /** @description The same as score. */
            relevanceScore: number;
        };
        /** @description A sentence of the answer and the passages that it rests on. `start` and `end` are offsets into the text of the answer in UTF-16 code units, as in `text.slice(start, end)` of JavaScript. */
        Citation: {
            start: number;
            end: number;
            /** @description The `chunk_id` of each passage; all are in `sources`. */
            chunkIds: string[];
        };
        Pagination: {
            /** @description Null on the last page. */
            nextCursor: string | null;
            hasMore: boolean;
        };
        AuditEntry: {
            id: string;
            /** @description For example status_changed, tags_changed, note_added, deleted, person_erased or secret_rotated. */
            action: string;
            /** @description The name of the person or API key, or visitor, operator, snooze or retention. */
            actor: string;
            /** @description The id of the person, which stays when they change their name. Null for API keys, processes and the operator's token. */
            actorId: string | null;
            /** Format: date-time */
            at: string;
            /** @description The change: `from` and `to`, or `fields` with the names of the changed fields. Never contains personal data. */
            details: {
                [key: string]: unknown;
            };
        };
        MessageDelivery: {
            /**
             * @description failed: the platform rejected a part permanently, or all attempts failed. queued: a part waits to be sent. sent, delivered, read: the state of the part that is furthest behind, as far as the platform reports it. withheld: no part is sent, for example because an agent took over or the visitor opted out.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "withheld";
            /** @description Why the message failed or is withheld, or why the last attempt failed, in the platform's words. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When the message entered this state. For queued, when it was written.
             */
            at: string;
        };
        SearchResult: {
            documentId: string;
            chunkId: string;
            title: string;
            url: string | null;
            chunk: string;
            score: number;
            /** @description Whether the reader read the passage: its score is then the reader's. */
            read: boolean;
            parts: {
                bm25: number;
                coverage: number;
                cosine: number;
                fused: number;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
