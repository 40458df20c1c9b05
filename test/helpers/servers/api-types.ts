// Made by npm run types:api from /openapi.json; a test checks that it is up to date.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is alive
         * @description Answers 200 as long as the process runs, whatever else works. Use it as a liveness probe.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests can be served
         * @description Answers 200 when this process can serve requests, else 503, with the state of each part. Use it as a readiness probe.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this process counts, for Prometheus
         * @description Returns the counters of this process in Prometheus' text format. Takes the operator's token.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from the documents of a workspace
         * @description Searches the workspace, writes an answer and stores both as a conversation. A successful request counts as one message of the month; with an `Idempotency-Key` a retry returns the stored answer and does not count again. Without a grounded answer it returns the fallback message with `confidence` `low`. Ends with `504 request_timeout` after 30 seconds.
         */
        post: operations["query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from the documents of a workspace, word by word
         * @description As `POST /v1/query`, with the answer sent as server-sent events while it is written: status frames, token frames, and one final frame with the sources. Errors found before the answer begins are ordinary error responses; a later one is the last frame. If the client disconnects, generation stops, what was written is stored as `cancelled`, and the request counts. The stream ends after 30 seconds at the latest.
         */
        post: operations["queryStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations of a workspace, latest activity first
         * @description Returns the conversations that match all given filters. Pages neither skip nor repeat conversations when messages arrive between requests.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversation with its messages, notes and changes
         * @description Returns the conversation with its whole history, its internal notes and its audit log, all of one moment. Use `listMessages` to page through a long one.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation with its messages and notes; what was told of its changes is kept
         * @description Deletes the conversation with its messages and notes. The audit log is kept and stays readable by the operator. This cannot be undone.
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        /**
         * Change a conversation; each change is told in its audit log
         * @description Changes only the fields that are sent. Each change is written to the audit log and sent to webhooks that subscribe to it. `tags` replaces all tags, `internal_notes` are added to those there are. `snoozed` needs `snooze_until`.
         */
        patch: operations["updateConversation"];
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation
         * @description Returns the messages of the conversation in pages, oldest first unless `order` is `desc`. Answers and replies carry their delivery to the visitor's platform.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/messages/{message_id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what the visitor thinks of an answer
         * @description Stores the visitor's opinion of an answer. The latest opinion counts, and sending the same one again changes nothing. Webhooks receive `message.feedback`.
         */
        post: operations["giveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{conversation_id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an internal note, which no visitor sees
         * @description Adds a note that agents see and visitors never do. The author is the name of the API key unless `author_email` is given.
         */
        post: operations["addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nlweb/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a workspace offers to agents, and where
         * @description Returns the name and description of the workspace and the addresses where agents ask it. Needs no key. Answers 404 unless the owner switched the public agent on.
         */
        get: operations["discoverAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nlweb/{workspace_id}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask a question in public, as clients of the open NLWeb protocol do
         * @description As `POST …/ask`, with the parameters in the address. The same limits apply.
         */
        get: operations["askAgentByAddress"];
        put?: never;
        /**
         * Ask a question in public, without a key
         * @description Answers from the documents without audience tags, in one JSON response or, where a request uses the parameters of the NLWeb protocol, in that protocol. Needs no key. One address may send 30 requests in 60 seconds, and each answer counts against the owner's month.
         */
        post: operations["askAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces, newest first
         * @description Returns all workspaces of the installation in pages.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Creates a workspace, by default for a new owner and on the plan `starter`. The response holds the identity secret, which is not shown again.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What waits, what was given up, and which channels are well
         * @description Returns the number of waiting, active and failed jobs of each queue and, for each channel, its state and its backlog.
         */
        get: operations["getQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/queues/{name}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a queue gave up, the last that came first
         * @description Returns what was given up: messages that could not be answered (`answer`) and parts that could not be sent (`deliver`), with the reason of each.
         */
        get: operations["listQueueFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/queues/{name}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again what a queue gave up
         * @description Queues what was given up once more, for one channel or for all. Parts that a platform refused for good are not retried.
         */
        post: operations["retryQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell which encryption keys the sealed values need
         * @description Names the current encryption key by its id, and how many values of each table still need a former one. When none does, ENCRYPTION_KEY_PREVIOUS can be removed.
         */
        get: operations["getSecretsStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets/reseal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Seal every value anew that is not under the current encryption key
         * @description Workers do the same in the background. It may be stopped and called again. Once outdated_key_ids is empty, ENCRYPTION_KEY_PREVIOUS can be dropped.
         */
        post: operations["resealSecrets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets/encryption_key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new encryption key in DATA_DIR and seal every value under it
         * @description Of an installation with the embedded database and without ENCRYPTION_KEY. The former key is kept in the data folder until a start finds that no value needs it.
         */
        post: operations["rotateEncryptionKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workspace
         * @description Returns the workspace with its settings. Its identity secret is never returned.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /**
         * Delete a workspace with all that is in it
         * @description Deletes the workspace with its documents, conversations, channels and keys. Its keys stop working at once. This cannot be undone.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change a workspace; a setting of null is cleared
         * @description Changes only the fields that are sent. `settings` is merged into the settings there are; a setting of null is cleared.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of a workspace, newest first
         * @description Returns the keys of the workspace without their values.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key with its own rate limits. The response holds the key itself, which is not shown again.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Revokes the key. Requests with it are refused with `401 invalid_key` from now on.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a workspace, latest first
         * @description Returns the documents of the workspace with the state of their indexing.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Add a document, or replace the one of the same address or file name
         * @description Adds a document from text in `content` and queues it for indexing. A document of the same `url` or file name is replaced: it answers with its old content until the new one is indexed. Answers 202 at once, or with `wait=true` 200 when it is indexed or failed. To send a file, use `uploadDocument`; a form is accepted here as well.
         */
        post: operations["addDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/{doc_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known of a document
         * @description Returns the state of the document and its indexing. The text itself is not returned.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document: from now on no answer is drawn from it
         * @description Deletes the document and its passages. Answers do not use it from now on.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the documents of a workspace, as an answer would
         * @description Returns the passages that an answer to this question would be drawn from, best first, with the parts of their scores, whether they suffice for an answer or not. Stores nothing and counts no message.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/messages/{message_id}/attachments/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a file that a visitor sent
         * @description Fetches the file from the channel's platform at the time of the request. Only files of widgets and hosted pages are stored in this installation. The file is served as a download, whatever its type.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a conversation, latest first; also of one that was deleted
         * @description Returns every change of the conversation with its author and time. Entries outlive the conversation.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a visitor as a person, where the visitor asked
         * @description Stores the reply and sends it through the conversation's channel. The first reply claims the conversation: the engine stays silent in its channel until it is resolved or opened again. `delivery` tells whether the reply is on its way.
         */
        post: operations["replyAsAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the sessions of a conversation's visitor, on every device
         * @description Ends all sessions of this visitor in the widget and on the hosted page. The messages stay stored, but these sessions can no longer read them. A visitor who proves their identity can begin a new session and finds them again.
         */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export everything a workspace holds of one person
         * @description Looks the person up by exactly one of `email`, `phone` and `user_id`. Returns their conversations with messages, notes and audit log, their visitor records and files, stored webhook deliveries and stored responses. The bytes of files are read as attachments of the messages. The lists are empty where the workspace holds nothing.
         */
        get: operations["exportPerson"];
        put?: never;
        post?: never;
        /**
         * Erase everything a workspace holds of one person
         * @description Looks the person up by exactly one of `email`, `phone` and `user_id`, and deletes what the export shows, at once and for good. Entries of audit logs stay: they name fields and no values. Phone numbers that opted out stay on the opt-out list of their channel. The receipt, which names counts only, is kept in the audit log of the workspace. A second call answers with zeros.
         */
        delete: operations["erasePerson"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a workspace that belong to no conversation, latest first
         * @description Receipts of erased people among them. The changes of a conversation are in its own audit log.
         */
        get: operations["listWorkspaceAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of a workspace, newest first
         * @description Returns the webhooks of the workspace without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook
         * @description Subscribes an address to events of the workspace, signed by the Standard Webhooks. The response holds the signing secret, which is not shown again. An event arrives at least once and is retried for a day.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook, with all that is on its way to it
         * @description Deletes the webhook together with the deliveries that are still pending.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Enable a webhook again, or disable it
         * @description Enables or disables the webhook. While it is disabled, no events are stored for it.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to a webhook in the last week or is still to be, newest first
         * @description Returns each event of the last week with its attempts and the receiver's last answer.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, whether it arrived or not
         * @description Sends the delivery again at once, under the same id, whether it arrived before or not.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the HTTP skills of a workspace, newest first
         * @description Returns the HTTP skills of the workspace without their secrets.
         */
        get: operations["listSkills"];
        put?: never;
        /**
         * Add an HTTP skill
         * @description Adds a function at an address of yours that a language model may call while it answers. Calls are signed; the response holds the secret, which is not shown again. A workspace has at most 20.
         */
        post: operations["createSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills/{skill_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an HTTP skill
         * @description Returns the skill without its secret.
         */
        get: operations["getSkill"];
        put?: never;
        post?: never;
        /**
         * Delete an HTTP skill
         * @description Deletes the skill. It is not called from now on.
         */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /**
         * Change an HTTP skill, or switch it on or off
         * @description Changes only the fields that are sent. The name and the secret stay.
         */
        patch: operations["updateSkill"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills/{skill_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call an HTTP skill once, on or off, and see what comes of it
         * @description Calls the skill's address with these arguments and returns the outcome. Stores nothing in a conversation.
         */
        post: operations["testSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the channels of a workspace, newest first
         * @description Returns the channels of the workspace with their state, without their credentials.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Add a channel
         * @description Checks the credentials with the platform and connects the channel. The response holds the `webhook_url` to enter on the platform where one is needed. Credentials are encrypted and never returned. `settings.verify: false` skips the check.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a channel
         * @description Returns the channel with its state, without its credentials.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /**
         * Remove a channel
         * @description Removes the channel with its stored credentials and stops receiving from it. Its conversations stay.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel, or switch it on or off
         * @description Merges `credentials` and `settings` into those there are, where null clears a field, and checks them with the platform again. `enabled: false` refuses what the platform sends.
         */
        patch: operations["updateChannel"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/install-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link by which a person lets the app of a channel into his team, for this workspace
         * @description Creates a link with which the administrator of a team installs this channel's app for this workspace. It can be used once, within an hour. The new channel has `chan_id` as its parent; the parent may belong to another workspace.
         */
        post: operations["createInstallLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/identity_secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the identity secret
         * @description Hashes and verification tokens made with either secret are accepted until the grace period ends.
         */
        post: operations["rotateIdentitySecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/public_token/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the workspace's public token
         * @description It opens the first widget of the workspace; a token that a widget has of its own stays. Sessions go on.
         */
        post: operations["rotatePublicToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of a webhook
         * @description Deliveries carry a signature of each secret until the grace period ends.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills/{skill_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of an HTTP skill
         * @description Calls carry a signature of each secret until the grace period ends.
         */
        post: operations["rotateSkillSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Id, name, limits, counts and expiry stay; both values count together until the grace period ends.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the public token of a widget
         * @description Both tokens open the widget until the grace period ends, and sessions go on.
         */
        post: operations["rotateChannelToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a document from a file, or replace the one of the same address or file name
         * @description Adds a document from a file of at most 25 MB (PDF, DOCX, Markdown, HTML, text or CSV) and queues it for indexing. A document of the same `url` or file name is replaced. Answers 202 at once, or with `wait=true` 200 when it is indexed or failed. A file that cannot be read is `failed`, with the reason.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the widget presents itself
         * @description Returns the title, colours, texts and options of the widget. Needs only the public token.
         */
        get: operations["getWidget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a session of a visitor
         * @description Begins a session, anonymous or of a visitor whose identity is proven as in a query. A proven visitor finds their history on every device. With `previous_session` the conversations of that session pass to the new one, and it ends.
         */
        post: operations["openSession"];
        /**
         * Log out
         * @description Ends the session at once. The messages stay stored.
         */
        delete: operations["closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask as a visitor, and hear the answer word by word
         * @description Sends the visitor's message and streams the answer in the frames of `POST /v1/query/stream`. While a person handles the conversation, the message is stored for them and the only frame says so. The answer is completed and stored even if the connection is lost.
         */
        post: operations["askAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/human": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a person
         * @description Escalates the conversation to a person and streams the confirmation in the frames of asking.
         */
        post: operations["askForPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave an address for the answer of a person
         * @description Stores the address at which the visitor wants the answer of a person. For a visitor with a proven identity nothing is changed, as the site vouches for their address.
         */
        post: operations["leaveContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand in a file that is to be sent
         * @description Stores a file that a message can then name in `files`. Its type is determined from its content. A file that no message names is deleted after a day.
         */
        post: operations["handInFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was said so far
         * @description Returns the messages of all conversations of this visitor, newest first.
         */
        get: operations["listVisitorMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear what people say, as it happens
         * @description Sends replies of people and changes of status as server-sent events. The stream ends when the client disconnects, the session ends or the server stops; open it again then and read the messages for what was missed.
         */
        get: operations["hearVisitorEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what you think of an answer
         * @description Stores the visitor's opinion of an answer in their own conversation. The latest opinion counts.
         */
        post: operations["judgeAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that everything so far was seen
         * @description Marks every message so far as seen, so that none of them is sent by e-mail later.
         */
        post: operations["readAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take back a file that was not sent
         * @description Deletes a file that no message names yet.
         */
        delete: operations["takeFileBack"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @description What is wrong, for people. */
            detail: string;
            /** @description What is wrong, for programs: stable. */
            code: string;
            /** @description Also in the header X-Request-Id. */
            request_id: string;
        };
        Pagination: {
            /** @description Null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
        };
        Channel: {
            id: string;
            workspace_id: string;
            /** @description Of which kind it is, such as telegram. */
            channel: string;
            name: string;
            /**
             * @description connecting: it was stored, and nothing has shown yet that it works. stale: a channel that is listened to was not heard of for two minutes (Discord: one and a half), or a platform that had posted fell silent for longer than it should.
             * @enum {string}
             */
            status: "connecting" | "connected" | "error" | "stale";
            /** @description What is wrong, or will be, in the platform's own words. */
            last_error: string | null;
            /** @description When the platform was last heard of, to ten seconds. */
            heard_at: string | null;
            enabled: boolean;
            settings: {
                [key: string]: unknown;
            };
            /** @description What the platform says of the account. */
            profile: {
                [key: string]: unknown;
            };
            /** @description Where the platform posts; null where it does not, or PUBLIC_URL is absent. */
            webhook_url: string | null;
            /** @description The channel whose app it shares; null where it has an app of its own. */
            parent: string | null;
            /** @description Of a channel that has a parent: whose it is on the platform, such as a team. */
            tenant: string | null;
            /** @description Opens this widget, and nothing else; null of other kinds. */
            public_token: string | null;
            /** @description What to paste into the pages that carry this widget; null of other kinds. */
            script_tag: string | null;
            /** @description A page of this server that carries this widget, to try it; null of other kinds. */
            test_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        AuditEntry: {
            id: string;
            /** @description Such as status_changed, tags_changed, note_added, deleted, person_erased or secret_rotated. */
            action: string;
            /** @description The API key by name, or visitor, operator, snooze or retention. */
            actor: string;
            /** Format: date-time */
            at: string;
            /** @description The change: `from` and `to`, or `fields`, the names of the fields that changed. Never personal data. */
            details: {
                [key: string]: unknown;
            };
        };
        Source: {
            document_id: string;
            chunk_id: string;
            title: string;
            /** @description Equal to title. */
            document_name: string;
            url: string | null;
            /** @description The passage's exact text. */
            chunk: string;
            /** @description Equal to chunk. */
            chunk_text: string;
            score: number;
            /** @description Equal to score. */
            relevance_score: number;
        };
        Note: {
            id: string;
            conversation_id: string;
            content: string;
            /** @description The API key's name, or the address given as author_email. */
            author: string;
            /** Format: date-time */
            created_at: string;
        };
        MessageDelivery: {
            /**
             * @description failed: a part of it was refused for good, or given up after its tries. queued: a part waits to be sent. sent, delivered, read: how far the least of its parts came, as far as the platform reports. withheld: none of it is sent, as when a person took over or the visitor asked not to be written to.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "withheld";
            /** @description Why it failed or is withheld, or why the last try failed, in the platform's words. */
            reason: string | null;
            /**
             * Format: date-time
             * @description Since when: for queued, when it was written.
             */
            at: string;
        };
        Message: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "agent";
            content: string;
            /** Format: date-time */
            created_at: string;
            /** @description Of assistant messages. */
            sources?: components["schemas"]["Source"][];
            /** @description Of assistant messages. */
            tokens_used?: number;
            /**
             * Format: date-time
             * @description Of user messages that the visitor changed on his platform: when he did so last.
             */
            edited_at?: string;
            /**
             * Format: date-time
             * @description Of user messages that the visitor took back on his platform: their content is empty.
             */
            deleted_at?: string;
            /** @description Of assistant messages: what the visitor thinks of it; null where he did not say. */
            feedback?: {
                /** @enum {string} */
                value: "up" | "down";
                comment: string | null;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description Of assistant and agent messages: what became of it on its way to the platform. Null where nothing is sent: on the API channel, and in the widget and on the hosted page, which fetch messages themselves. */
            delivery?: components["schemas"]["MessageDelivery"] | null;
            /** @description Of assistant and agent messages: why it is not whole. cancelled: the client disconnected, or a person took over. timed_out: it took longer than 30 seconds. failed: an error ended it. Null where it is whole. */
            ended?: ("cancelled" | "timed_out" | "failed") | null;
            /** @description Of assistant messages, as are score, latency_ms and skills_fired. All null where not known. */
            confidence?: ("high" | "medium" | "low") | null;
            /** @description The calibrated score of its best passage, from 0 to 1. */
            score?: number | null;
            latency_ms?: number | null;
            skills_fired?: string[] | null;
            /** @description Of user messages that came with files: what the platform says of each. */
            attachments?: {
                /** @enum {string} */
                kind: "image" | "audio" | "video" | "file" | "other";
                name: string | null;
                content_type: string | null;
                bytes: number | null;
            }[];
            /** @description Of agent messages: who wrote it. */
            author?: string | null;
        };
        Conversation: {
            id: string;
            workspace_id: string;
            /** @enum {string} */
            channel: "widget" | "whatsapp" | "telegram" | "slack" | "discord" | "email" | "voice" | "sms" | "intercom" | "hosted" | "api";
            /** @description Which channel of that kind it came through; null for the API, and for a widget or page that was removed. */
            channel_id: string | null;
            /** @enum {string} */
            status: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            last_message_at: string;
            /**
             * Format: date-time
             * @description Of a resolved conversation only.
             */
            resolved_at?: string;
            /** @description When a snoozed one opens again. */
            snooze_until: string | null;
            message_count: number;
            /** @description All null for an anonymous visitor. */
            customer: {
                email: string | null;
                /** @description True: in a verification_token, or the channel's platform vouches for it. False: only told, also beside user.hash. Null without an address. */
                email_verified: boolean | null;
                name: string | null;
                phone: string | null;
            };
            tags: string[];
            /** @enum {string} */
            sla_state: "in_compliance" | "at_risk" | "breached";
        };
        /** @description Messages, notes and changes come oldest first. */
        ConversationView: {
            id: string;
            workspace_id: string;
            /** @enum {string} */
            channel: "widget" | "whatsapp" | "telegram" | "slack" | "discord" | "email" | "voice" | "sms" | "intercom" | "hosted" | "api";
            /** @description Which channel of that kind it came through; null for the API, and for a widget or page that was removed. */
            channel_id: string | null;
            /** @enum {string} */
            status: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            last_message_at: string;
            /**
             * Format: date-time
             * @description Of a resolved conversation only.
             */
            resolved_at?: string;
            /** @description When a snoozed one opens again. */
            snooze_until: string | null;
            message_count: number;
            /** @description All null for an anonymous visitor. */
            customer: {
                email: string | null;
                /** @description True: in a verification_token, or the channel's platform vouches for it. False: only told, also beside user.hash. Null without an address. */
                email_verified: boolean | null;
                name: string | null;
                phone: string | null;
            };
            tags: string[];
            /** @enum {string} */
            sla_state: "in_compliance" | "at_risk" | "breached";
            messages: components["schemas"]["Message"][];
            internal_notes: components["schemas"]["Note"][];
            audit_log: components["schemas"]["AuditEntry"][];
            /** @description Where the platform lets nobody write long after the visitor did: until when one may. Null where that is always. */
            reply_window: {
                open: boolean;
                /** @description Null where the visitor never wrote. */
                closes_at: string | null;
            } | null;
        };
        AgentReply: {
            id: string;
            /** @constant */
            role: "agent";
            content: string;
            author: string;
            /** Format: date-time */
            created_at: string;
            /** @description Null where the conversation has no channel: the reply is stored and nothing is sent. */
            delivery: components["schemas"]["MessageDelivery"] | null;
        };
        Document: {
            id: string;
            workspace_id: string;
            title: string;
            url: string | null;
            file_name: string | null;
            content_type: string | null;
            audience: string[];
            /** @enum {string} */
            status: "queued" | "indexing" | "indexed" | "failed" | "deleted";
            /** @description Per cent that is indexed. */
            progress: number;
            /** @description Why it could not be indexed, and what to do. */
            failure: {
                code: string;
                reason: string;
            } | null;
            bytes: number;
            chunks: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            indexed_at: string | null;
        };
        Key: {
            id: string;
            workspace_id: string;
            name: string;
            /** @description The last four characters of the key. */
            ending: string;
            rate_limit_minute: number;
            rate_limit_day: number;
            expires_at: string | null;
            /** @description Until when the former value works after a rotation; null where only one works. */
            previous_valid_until: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ErasureReceipt: {
            /** @description The entry in the audit log of the workspace. */
            id: string;
            /** Format: date-time */
            erased_at: string;
            counts: {
                conversations: number;
                messages: number;
                notes: number;
                visitors: number;
                sessions: number;
                files: number;
                /** @description Stored responses of repeatable requests. */
                replays: number;
                /** @description Stored webhook deliveries. */
                deliveries: number;
                /** @description Threads of channels, with their addresses. */
                threads: number;
            };
        };
        PersonExport: {
            /** Format: date-time */
            exported_at: string;
            conversations: components["schemas"]["ConversationView"][];
            visitors: {
                id: string;
                channel_id: string;
                user_id: string | null;
                name: string | null;
                email: string | null;
                audience: string[];
                /** Format: date-time */
                created_at: string;
            }[];
            files: {
                id: string;
                conversation_id: string | null;
                name: string;
                content_type: string;
                size: number;
                /** Format: date-time */
                created_at: string;
            }[];
            deliveries: {
                id: string;
                webhook_id: string;
                conversation_id: string | null;
                event: string;
                data: unknown;
                status: string;
                /** Format: date-time */
                created_at: string;
            }[];
            replays: {
                key_id: string;
                idempotency_key: string;
                conversation_id: string | null;
                body: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
        };
        Queues: {
            /** @description null where the queue does not answer: Redis is away, and what came waits for it. */
            queues: {
                /** @enum {string} */
                name: "ingest" | "webhooks" | "summarise" | "answer" | "deliver";
                waiting: number;
                delayed: number;
                active: number;
                failed: number;
            }[] | null;
            channels: {
                id: string;
                workspace_id: string;
                channel: string;
                name: string;
                enabled: boolean;
                /** @enum {string} */
                status: "connecting" | "connected" | "error" | "stale";
                /** @description Whether a channel that is listened to was not heard of for two minutes (Discord: one and a half), or a platform that had posted fell silent for longer than it should. */
                stale: boolean;
                heard_at: string | null;
                last_error: string | null;
                /** @description Messages of visitors that are not dealt with. */
                unanswered: number;
                oldest_unanswered_at: string | null;
                /** @description Messages that were given up: they can be retried. */
                unanswerable: number;
                /** @description Parts of answers that are still to be sent. */
                unsent: number;
                oldest_unsent_at: string | null;
                /** @description Parts given up after too many tries: they can be retried. */
                dead: number;
                /** @description Parts that the platform refused for good. */
                failed: number;
                /** @description Until when the platform takes nothing more: it said so. null where it takes what comes. */
                held_until: string | null;
            }[];
        };
        QueueFailure: {
            /** @description A number, higher for what came later. */
            id: string;
            channel_id: string;
            conversation_id: string | null;
            reason: string | null;
            attempts: number;
            /** @description false: the platform will never take it. */
            retriable: boolean;
            /**
             * Format: date-time
             * @description When it came, or was written.
             */
            at: string;
        };
        SearchResult: {
            document_id: string;
            chunk_id: string;
            title: string;
            url: string | null;
            chunk: string;
            score: number;
            parts: {
                bm25: number;
                coverage: number;
                cosine: number;
                fused: number;
            };
        };
        SecretsStatus: {
            /** @description Of the encryption key that seals; it does not tell the key. */
            key_id: string;
            /** @description Of the former keys that this process can still open values with. */
            previous_key_ids: string[];
            /** @description Of the keys that some value still needs, v1 for values of a format that names no key. Empty: former keys can be dropped. */
            outdated_key_ids: string[];
            tables: {
                table: string;
                /** @description Rows with a sealed value. */
                rows: number;
                /** @description Of these, rows that the current key alone does not open. */
                outdated: number;
            }[];
        };
        ResealReport: {
            /** @description Of the encryption key that seals; it does not tell the key. */
            key_id: string;
            /** @description Of the former keys that this process can still open values with. */
            previous_key_ids: string[];
            /** @description Of the keys that some value still needs, v1 for values of a format that names no key. Empty: former keys can be dropped. */
            outdated_key_ids: string[];
            tables: {
                table: string;
                /** @description Rows with a sealed value. */
                rows: number;
                /** @description Of these, rows that the current key alone does not open. */
                outdated: number;
                resealed: number;
                /** @description Rows with a value that no configured key opens. */
                unreadable: number;
            }[];
        };
        Skill: {
            id: string;
            workspace_id: string;
            name: string;
            description: string;
            parameters: {
                [key: string]: unknown;
            };
            url: string;
            timeout_seconds: number;
            /** @enum {string} */
            runs_for: "everyone" | "verified";
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
        };
        Webhook: {
            id: string;
            workspace_id: string;
            url: string;
            events: string[];
            enabled: boolean;
            disabled_at: string | null;
            /** @description Why nothing is sent to it any more. */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Delivery: {
            /** @description Also its webhook-id, the same on every try. */
            id: string;
            webhook_id: string;
            event: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            next_attempt_at: string | null;
            /** @description What the receiver answered last. */
            last_status: number | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
        };
        Workspace: {
            id: string;
            owner: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "growth" | "business" | "enterprise";
            settings: {
                nlweb_enabled?: boolean;
                mcp_enabled?: boolean;
                description?: string;
                fallback_message?: string;
                audiences?: string[];
                require_identity_verification?: boolean;
                /** @enum {string} */
                strictness?: "strict" | "fallback";
                allowed_domains?: string[];
                sla?: {
                    first_response_minutes?: number;
                    resolution_minutes?: number;
                };
                retention_days?: number;
                model?: string;
                mask_secrets?: boolean;
                skills?: string[];
                support_hours?: {
                    time_zone: string;
                    monday?: {
                        from: string;
                        to: string;
                    }[];
                    tuesday?: {
                        from: string;
                        to: string;
                    }[];
                    wednesday?: {
                        from: string;
                        to: string;
                    }[];
                    thursday?: {
                        from: string;
                        to: string;
                    }[];
                    friday?: {
                        from: string;
                        to: string;
                    }[];
                    saturday?: {
                        from: string;
                        to: string;
                    }[];
                    sunday?: {
                        from: string;
                        to: string;
                    }[];
                };
                escalate_after_fallbacks?: number;
            };
            /** @description For browsers: opens the widget only. */
            public_token: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description One at the beginning of each stage, in their order. */
        StatusFrame: {
            /** @constant */
            event: "status";
            /** @enum {string} */
            stage: "understanding" | "searching" | "reading" | "writing";
            /** @description What goes on, for people. */
            text: string;
        };
        /** @description A piece of the answer: all of them, joined, are the answer. */
        TokenFrame: {
            token: string;
            /** @constant */
            done: false;
        };
        /** @description The last frame of an answer that is whole and stored. */
        FinalFrame: {
            sources: components["schemas"]["Source"][];
            conversation_id: string;
            message_id: string;
            /** @description Equal to message_id. */
            query_id: string;
            tokens_used: number;
            skills_fired: string[];
            /**
             * @description low: the documents hold no answer.
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** @constant */
            token: "";
            /** @constant */
            done: true;
        };
        /** @description The last frame of an answer that failed. */
        ErrorFrame: {
            /** @description What is wrong, for people. */
            error: string;
            /** @constant */
            done: true;
            /**
             * @description What is wrong, for programs.
             * @enum {string}
             */
            code: "conversation_not_found" | "internal_error" | "model_provider_error" | "upstream_timeout" | "provider_down" | "deploying" | "request_timeout";
            /** @description Also in the header X-Request-Id. */
            request_id: string;
        };
        /** @description The only frame where a person has the conversation, or the last one where a person took it over while it was answered: what there is of the answer is not said then. */
        KeptFrame: {
            /** @constant */
            token: "";
            /** @constant */
            done: true;
            /** @constant */
            kept: true;
            message_id: string;
        };
        WidgetLook: {
            title: string;
            greeting: string;
            /** @description The colour, what can be read on it, and what can be read of it on light and dark. */
            accent: {
                colour: string;
                text: string;
                light: string;
                dark: string;
            };
            logo_url: string | null;
            suggestions: string[];
            /** @description Whether to ask first if the assistant or a person is wanted. */
            choice: boolean;
            /** @description What may be sent along; null where nothing may. */
            attachments: {
                types: string[];
                max_bytes: number;
                max_files: number;
            } | null;
            /** @enum {string} */
            theme: "auto" | "light" | "dark";
            /** @enum {string} */
            position: "left" | "right";
            language: string;
            languages: string[];
            /** @enum {string} */
            direction: "ltr" | "rtl";
            texts: {
                [key: string]: string;
            };
            /** @description The path of the script of the open chat. */
            script: string;
        };
        VisitorMessage: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "agent";
            content: string;
            /** Format: date-time */
            created_at: string;
            /** @description What an answer rests on. */
            sources: components["schemas"]["Source"][];
            /** @description Pages that are near to a question without an answer. */
            related: components["schemas"]["Source"][];
            /** @description The name of the person who wrote it. */
            author: string | null;
            feedback: ("up" | "down") | null;
            /** @description The answer broke off. */
            cut: boolean;
            /** @description It says that a person was brought in: there is nothing to judge. */
            handover: boolean;
            /** @description What the visitor sent along. */
            attachments: {
                name: string | null;
                content_type: string | null;
                bytes: number | null;
            }[];
        };
        /** @description The first frame, and one after each change. */
        StateFrame: {
            /**
             * @description waiting: a person was asked for. person: one has the conversation.
             * @enum {string}
             */
            status: "open" | "waiting" | "person" | "closed";
            /** @description The name of that person. */
            agent: string | null;
            /** @description What people said and the visitor has not seen. */
            unread: number;
            /** @description Whether a question of his is being answered. */
            answering: boolean;
            /** @constant */
            event: "state";
        };
        /** @description What a person said. */
        MessageFrame: {
            /** @constant */
            event: "message";
            message: components["schemas"]["VisitorMessage"];
        };
        VisitorSession: {
            /** @description For the header Authorization: Bearer. Keep it in the browser. */
            session: string;
            /** Format: date-time */
            expires_at: string;
            visitor: {
                verified: boolean;
                name: string | null;
                email: string | null;
                /** @description Whether verification_token has the address; null without one. */
                email_verified: boolean | null;
            };
        };
        NlwebAnswer: {
            query_id: string;
            results: {
                url: string;
                name: string;
                site: string;
                score: number;
                description: string;
                /** @description schema.org, as JSON-LD. */
                schema_object: {
                    [key: string]: unknown;
                };
            }[];
            /** @description With mode summarize. */
            summary?: string;
            /** @description With mode generate. */
            answer?: string;
            /** @description With mode generate: what the answer rests on. */
            items?: {
                url: string;
                name: string;
                site: string;
                score: number;
                description: string;
                /** @description schema.org, as JSON-LD. */
                schema_object: {
                    [key: string]: unknown;
                };
            }[];
        };
        NlwebObjectAnswer: {
            _meta: {
                /** @constant */
                response_type: "Answer";
                response_format?: string;
                version: string;
                request_id: string;
                session_context?: {
                    conversation_id: string;
                };
            };
            results?: ({
                "@type": string;
            } & {
                [key: string]: unknown;
            })[];
            content?: {
                /** @constant */
                type: "text";
                text: string;
            }[];
            structuredData?: ({
                "@type": string;
            } & {
                [key: string]: unknown;
            })[];
        };
        PublicAnswer: {
            answer: string;
            /** @constant */
            answer_type: "text";
            sources: {
                name: string;
                snippet: string;
                relevance: number;
            }[];
            conversation_id: string;
        };
        VisitorFile: {
            id: string;
            name: string | null;
            content_type: string | null;
            bytes: number | null;
        };
        VisitorMessages: {
            /**
             * @description waiting: a person was asked for. person: one has the conversation.
             * @enum {string}
             */
            status: "open" | "waiting" | "person" | "closed";
            /** @description The name of that person. */
            agent: string | null;
            /** @description What people said and the visitor has not seen. */
            unread: number;
            /** @description Whether a question of his is being answered. */
            answering: boolean;
            messages: components["schemas"]["VisitorMessage"][];
            pagination: components["schemas"]["Pagination"];
        };
    };
    responses: {
        /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request";
                };
            };
        };
        /** @description `receive_timeout`: The request did not arrive in time. */
        ReceiveTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "receive_timeout";
                };
            };
        };
        /** @description `headers_too_large`: The headers are larger than 16 KB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "headers_too_large";
                };
            };
        };
        /** @description `internal_error`: Something went wrong on our side. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "internal_error";
                };
            };
        };
        /**
         * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
         *
         *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
         *
         *     `invalid_key`: This key was revoked or never existed.
         */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "missing_auth" | "malformed_auth" | "invalid_key";
                };
            };
        };
        /** @description `rate_limit_minute`: Too many requests this minute. */
        RateLimitMinute: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "rate_limit_minute";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         *
         *     `missing_field`: A required field is missing.
         *
         *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
         *
         *     `message_too_long`: query is longer than 4,000 characters.
         */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_json" | "missing_field" | "invalid_workspace_id" | "message_too_long";
                };
            };
        };
        /**
         * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
         *
         *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
         *
         *     `invalid_key`: This key was revoked or never existed.
         *
         *     `expired_key`: This key has expired.
         */
        Unauthorized2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "missing_auth" | "malformed_auth" | "invalid_key" | "expired_key";
                };
            };
        };
        /**
         * @description `workspace_access_denied`: This workspace belongs to another owner than the key's.
         *
         *     `verification_required`: Identity verification is required: pass user.hash or verification_token.
         *
         *     `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above.
         */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_access_denied" | "verification_required" | "feature_not_in_plan";
                };
            };
        };
        /**
         * @description `workspace_not_found`: There is no such workspace.
         *
         *     `conversation_not_found`: There is no such conversation.
         *
         *     `document_not_found`: There is no such document.
         */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "conversation_not_found" | "document_not_found";
                };
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "payload_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: The content type is not supported here. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "unsupported_media_type";
                };
            };
        };
        /**
         * @description `quota_exhausted`: The owner's monthly message allowance is used up.
         *
         *     `rate_limit_minute`: Too many requests this minute.
         *
         *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
         *
         *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
         */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "quota_exhausted" | "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                };
            };
        };
        /** @description `request_timeout`: The request took longer than 30 seconds. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "request_timeout";
                };
            };
        };
        /** @description `internal_error`: Something went wrong on our side. */
        InternalError2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "internal_error";
                };
            };
        };
        /** @description `deploying`: This server is shutting down or starting. Retry after the seconds that Retry-After names. */
        Deploying: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "deploying";
                };
            };
        };
        /**
         * @description `rate_limit_minute`: Too many requests this minute.
         *
         *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
         *
         *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
         */
        TooManyRequests2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "rate_limit_minute" | "rate_limit_day" | "rate_limit_concurrent";
                };
            };
        };
        /** @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one. */
        MalformedRequest2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request";
                };
            };
        };
        /** @description `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above. */
        FeatureNotInPlan: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "feature_not_in_plan";
                };
            };
        };
        /** @description `conversation_not_found`: There is no such conversation. */
        ConversationNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "conversation_not_found";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         *
         *     `missing_field`: A required field is missing.
         */
        BadRequest2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_json" | "missing_field";
                };
            };
        };
        /** @description `workspace_not_found`: There is no such workspace. */
        WorkspaceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found";
                };
            };
        };
        /** @description `deploying`: This server is shutting down or starting. Retry after the seconds that Retry-After names. */
        Deploying2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "deploying";
                };
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        PayloadTooLarge2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "payload_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: The content type is not supported here. */
        UnsupportedMediaType2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "unsupported_media_type";
                };
            };
        };
        /**
         * @description `rate_limit_minute`: Too many requests this minute.
         *
         *     `quota_exhausted`: The owner's monthly message allowance is used up.
         */
        TooManyRequests3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "rate_limit_minute" | "quota_exhausted";
                };
            };
        };
        /**
         * @description `model_provider_error`: The language-model provider answered with an error.
         *
         *     `internal_error`: Something went wrong on our side.
         */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "model_provider_error" | "internal_error";
                };
            };
        };
        /** @description `upstream_timeout`: A backend service did not answer in time. */
        UpstreamTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "upstream_timeout";
                };
            };
        };
        /**
         * @description `provider_down`: No language-model provider is available.
         *
         *     `deploying`: This server is shutting down or starting. Retry after the seconds that Retry-After names.
         */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "provider_down" | "deploying";
                };
            };
        };
        /** @description `request_timeout`: The request took longer than 30 seconds. */
        RequestTimeout2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "request_timeout";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         *
         *     `missing_field`: A required field is missing.
         */
        BadRequest3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_json" | "missing_field";
                };
            };
        };
        /**
         * @description `invalid_limit`: limit must be an integer from 1 to 100.
         *
         *     `invalid_cursor`: cursor must be a next_cursor of this very list.
         */
        UnprocessableEntity: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_limit" | "invalid_cursor";
                };
            };
        };
        /** @description `invalid_body`: The body must be a JSON object. */
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_body";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         */
        BadRequest4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_json";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
         */
        BadRequest5: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_workspace_id";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         *
         *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
         *
         *     `missing_field`: A required field is missing.
         */
        BadRequest6: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         *
         *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
         */
        BadRequest7: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_json" | "invalid_workspace_id";
                };
            };
        };
        /**
         * @description `workspace_not_found`: There is no such workspace.
         *
         *     `key_not_found`: There is no such key.
         */
        NotFound2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "key_not_found";
                };
            };
        };
        /**
         * @description `invalid_multipart`: The multipart body could not be read.
         *
         *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         *
         *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
         *
         *     `missing_field`: A required field is missing.
         */
        BadRequest8: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_multipart" | "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field";
                };
            };
        };
        /**
         * @description `workspace_not_found`: There is no such workspace.
         *
         *     `document_not_found`: There is no such document.
         */
        NotFound3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "document_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: There is no such workspace.
         *
         *     `conversation_not_found`: There is no such conversation.
         */
        NotFound4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "conversation_not_found";
                };
            };
        };
        /**
         * @description `ambiguous_person`: Send exactly one of email, phone and user_id.
         *
         *     `invalid_email`: email must be an e-mail address.
         *
         *     `invalid_phone`: phone must be a phone number of at least five digits.
         *
         *     `invalid_user_id`: user_id must be a string of 1 to 200 characters.
         */
        UnprocessableEntity2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "ambiguous_person" | "invalid_email" | "invalid_phone" | "invalid_user_id";
                };
            };
        };
        /**
         * @description `workspace_not_found`: There is no such workspace.
         *
         *     `webhook_not_found`: There is no such webhook.
         */
        NotFound5: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "webhook_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: There is no such workspace.
         *
         *     `skill_not_found`: There is no such HTTP skill.
         */
        NotFound6: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "skill_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: There is no such workspace.
         *
         *     `channel_not_found`: There is no such channel.
         */
        NotFound7: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "channel_not_found";
                };
            };
        };
        /**
         * @description `invalid_body`: The body must be a JSON object.
         *
         *     `invalid_grace_seconds`: grace_seconds must be a whole number from 0 to 604,800 (seven days).
         */
        UnprocessableEntity3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_body" | "invalid_grace_seconds";
                };
            };
        };
        /** @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains. */
        OriginNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "origin_not_allowed";
                };
            };
        };
        /** @description `channel_not_found`: There is no such channel. */
        ChannelNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "channel_not_found";
                };
            };
        };
        /**
         * @description `rate_limit_minute`: Too many requests this minute.
         *
         *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
         */
        TooManyRequests4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                Challenge: components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "rate_limit_minute" | "challenge_required";
                };
            };
        };
        /**
         * @description `missing_auth`: Send the header Authorization: Bearer <API_KEY>.
         *
         *     `malformed_auth`: The Authorization header must be exactly: Bearer <API_KEY>.
         *
         *     `invalid_session`: This session is over, or never was: begin a new one.
         */
        Unauthorized3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "missing_auth" | "malformed_auth" | "invalid_session";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
         *
         *     `invalid_json`: The body is not valid JSON.
         *
         *     `missing_field`: A required field is missing.
         *
         *     `message_too_long`: query is longer than 4,000 characters.
         */
        BadRequest9: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "malformed_request" | "invalid_json" | "missing_field" | "message_too_long";
                };
            };
        };
        /**
         * @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains.
         *
         *     `verification_required`: Identity verification is required: pass user.hash or verification_token.
         */
        Forbidden2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "origin_not_allowed" | "verification_required";
                };
            };
        };
        /**
         * @description `channel_not_found`: There is no such channel.
         *
         *     `attachment_not_found`: There is no such file, or its platform does not have it any more.
         */
        NotFound8: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "channel_not_found" | "attachment_not_found";
                };
            };
        };
        /**
         * @description `rate_limit_minute`: Too many requests this minute.
         *
         *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
         *
         *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
         *
         *     `quota_exhausted`: The owner's monthly message allowance is used up.
         */
        TooManyRequests5: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                Challenge: components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "rate_limit_minute" | "challenge_required" | "rate_limit_concurrent" | "quota_exhausted";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The caller's own X-Request-Id, or one made here. Give it when you ask for help.
         * @example req_01K5Z2V0B8Q4M3N7R6T9W1X2Y3
         */
        "X-Request-Id": string;
        /**
         * @description Requests that the key may make a minute.
         * @example 60
         */
        "X-RateLimit-Limit-Minute": number;
        /**
         * @description Requests that are left of this minute.
         * @example 59
         */
        "X-RateLimit-Remaining-Minute": number;
        /**
         * @description Requests that the key may make a day.
         * @example 1000
         */
        "X-RateLimit-Limit-Day": number;
        /**
         * @description Requests that are left of this day.
         * @example 999
         */
        "X-RateLimit-Remaining-Day": number;
        /**
         * @description When the next day begins: midnight UTC, in seconds of Unix time.
         * @example 1789603200
         */
        "X-RateLimit-Reset-Day": number;
        /**
         * @description Seconds to wait before the next try.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description With challenge_required: a JWT whose claim bits is a number. Find another one, n, with which the SHA-256 of the JWT, a full stop and n begins with so many zero bits, and repeat the request within two minutes with the header Challenge-Answer: the JWT, a space and n. It holds for one request of this caller.
         * @example eyJhbGciOiJIUzI1NiJ9.eyJiaXRzIjoxNX0.c2lnbmF0dXJl
         */
        Challenge: string;
        /**
         * @description On an answer that was given before, to a request with the same Idempotency-Key.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "alive";
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["ReceiveTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ready";
                        checks: {
                            /**
                             * @description Whether this process can write to it.
                             * @enum {string}
                             */
                            database: "ok" | "degraded" | "failed";
                            /**
                             * @description Absent in a process that does not search.
                             * @enum {string}
                             */
                            embedder?: "ok" | "degraded" | "failed";
                            /** @enum {string} */
                            queue: "ok" | "degraded" | "failed";
                            /**
                             * @description Whether any process does background work.
                             * @enum {string}
                             */
                            workers: "ok" | "degraded" | "failed";
                        };
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["ReceiveTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description A part that has failed is needed for every request, or the server is shutting down. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "not_ready" | "deploying";
                        checks?: {
                            /**
                             * @description Whether this process can write to it.
                             * @enum {string}
                             */
                            database: "ok" | "degraded" | "failed";
                            /**
                             * @description Absent in a process that does not search.
                             * @enum {string}
                             */
                            embedder?: "ok" | "degraded" | "failed";
                            /** @enum {string} */
                            queue: "ok" | "degraded" | "failed";
                            /**
                             * @description Whether any process does background work.
                             * @enum {string}
                             */
                            workers: "ok" | "degraded" | "failed";
                        };
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus' text format. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    query: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this request for 24 hours: sent again under the same key, it gets the same answer and counts once. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "How much does delivery to Germany cost?",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": {
                    /** @description The key's own workspace when absent. */
                    workspace_id?: string | null;
                    query: string;
                    /** @description Continues a conversation; absent, null or empty begins one. */
                    conversation_id?: string | null;
                    /**
                     * @description Passages that the answer may draw on.
                     * @default 5
                     */
                    top_k?: number | null;
                    /** @description How freely a language model words the answer. */
                    temperature?: number | null;
                    /**
                     * @description strict answers from the documents only; fallback lets a language model answer from general knowledge where they hold nothing, with confidence low. The workspace's setting when absent.
                     * @enum {string|null}
                     */
                    strictness?: "strict" | "fallback" | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /** @description Draws on these documents only. */
                    document_ids?: string[] | null;
                    session_id?: string | null;
                    user?: {
                        user_id: string;
                        /** @description Lower-case hexadecimal HMAC-SHA256 of user_id under the workspace's identity secret. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) under the identity secret. */
                    verification_token?: string | null;
                    /** @description Free context, such as page_url: kept with the question, and no part of the answer. At most 16 KB of JSON, else `422 invalid_metadata`. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        answer: string;
                        sources: components["schemas"]["Source"][];
                        conversation_id: string;
                        message_id: string;
                        /** @description Equal to message_id. */
                        query_id: string;
                        tokens_used: number;
                        skills_fired: string[];
                        latency_ms: number;
                        /**
                         * @description low: the documents hold no answer.
                         * @enum {string}
                         */
                        confidence: "high" | "medium" | "low";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `duplicate_request_id`: This Idempotency-Key is in use or was used with another body. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "duplicate_request_id";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_idempotency_key`: Idempotency-Key must have 1 to 255 characters.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_conversation_id`: conversation_id must be a string.
             *
             *     `invalid_top_k`: top_k must be an integer from 1 to 20.
             *
             *     `invalid_temperature`: temperature must be a number from 0.0 to 1.0.
             *
             *     `invalid_strictness`: strictness must be "strict" or "fallback".
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids.
             *
             *     `invalid_session_id`: session_id must be a string of at most 200 characters.
             *
             *     `invalid_user`: user must be an object with user_id, and optionally hash, name and email.
             *
             *     `invalid_verification_token`: verification_token must be a string.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_idempotency_key" | "invalid_body" | "invalid_query" | "invalid_conversation_id" | "invalid_top_k" | "invalid_temperature" | "invalid_strictness" | "invalid_audience" | "invalid_document_ids" | "invalid_session_id" | "invalid_user" | "invalid_verification_token" | "invalid_metadata";
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            /**
             * @description `model_provider_error`: The language-model provider answered with an error.
             *
             *     `internal_error`: Something went wrong on our side.
             */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "model_provider_error" | "internal_error";
                    };
                };
            };
            /** @description `upstream_timeout`: A backend service did not answer in time. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "upstream_timeout";
                    };
                };
            };
            /**
             * @description `provider_down`: No language-model provider is available.
             *
             *     `deploying`: This server is shutting down or starting. Retry after the seconds that Retry-After names.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "provider_down" | "deploying";
                    };
                };
            };
            504: components["responses"]["RequestTimeout"];
        };
    };
    queryStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "How much does delivery to Germany cost?",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": {
                    /** @description The key's own workspace when absent. */
                    workspace_id?: string | null;
                    query: string;
                    /** @description Continues a conversation; absent, null or empty begins one. */
                    conversation_id?: string | null;
                    /**
                     * @description Passages that the answer may draw on.
                     * @default 5
                     */
                    top_k?: number | null;
                    /** @description How freely a language model words the answer. */
                    temperature?: number | null;
                    /**
                     * @description strict answers from the documents only; fallback lets a language model answer from general knowledge where they hold nothing, with confidence low. The workspace's setting when absent.
                     * @enum {string|null}
                     */
                    strictness?: "strict" | "fallback" | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /** @description Draws on these documents only. */
                    document_ids?: string[] | null;
                    session_id?: string | null;
                    user?: {
                        user_id: string;
                        /** @description Lower-case hexadecimal HMAC-SHA256 of user_id under the workspace's identity secret. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) under the identity secret. */
                    verification_token?: string | null;
                    /** @description Free context, such as page_url: kept with the question, and no part of the answer. At most 16 KB of JSON, else `422 invalid_metadata`. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Server-sent events: status frames, token frames, and one last frame. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_conversation_id`: conversation_id must be a string.
             *
             *     `invalid_top_k`: top_k must be an integer from 1 to 20.
             *
             *     `invalid_temperature`: temperature must be a number from 0.0 to 1.0.
             *
             *     `invalid_strictness`: strictness must be "strict" or "fallback".
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids.
             *
             *     `invalid_session_id`: session_id must be a string of at most 200 characters.
             *
             *     `invalid_user`: user must be an object with user_id, and optionally hash, name and email.
             *
             *     `invalid_verification_token`: verification_token must be a string.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_conversation_id" | "invalid_top_k" | "invalid_temperature" | "invalid_strictness" | "invalid_audience" | "invalid_document_ids" | "invalid_session_id" | "invalid_user" | "invalid_verification_token" | "invalid_metadata";
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    listConversations: {
        parameters: {
            query: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                workspace_id: string;
                channel?: "widget" | "whatsapp" | "telegram" | "slack" | "discord" | "email" | "voice" | "sms" | "intercom" | "hosted" | "api";
                status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
                /** @description Repeated for several: all must match. */
                tag?: string[];
                /** @description Started after. */
                since?: string;
                /** @description Started before. */
                until?: string;
                /** @description With a message, a change, a note or feedback of that moment or later. Ask from a minute before your last request: a change can be seen shortly after its time. */
                updated_since?: string;
                /** @description Words that one message of the conversation has, in any form and order. */
                q?: string;
                /** @description The customer's. */
                email?: string;
                sla_state?: "in_compliance" | "at_risk" | "breached";
                /** @description What its visitor thinks of one of its answers. */
                feedback?: "up" | "down";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        conversations: components["schemas"]["Conversation"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "missing_field" | "invalid_workspace_id";
                    };
                };
            };
            401: components["responses"]["Unauthorized2"];
            /**
             * @description `workspace_access_denied`: This workspace belongs to another owner than the key's.
             *
             *     `feature_not_in_plan`: This workspace's plan has no API access: it takes Starter or above.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_access_denied" | "feature_not_in_plan";
                    };
                };
            };
            /** @description `workspace_not_found`: There is no such workspace. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             *
             *     `invalid_channel`: channel is not one of the known values.
             *
             *     `invalid_status`: status is not one of the known values.
             *
             *     `invalid_tag`: tag must have 1 to 64 characters.
             *
             *     `invalid_since`: since must be an ISO 8601 time.
             *
             *     `invalid_until`: until must be an ISO 8601 time.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_q`: q must have 1 to 1,000 characters.
             *
             *     `invalid_email`: email must be an e-mail address.
             *
             *     `invalid_sla_state`: sla_state must be in_compliance, at_risk or breached.
             *
             *     `invalid_feedback`: feedback must be up or down.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_channel" | "invalid_status" | "invalid_tag" | "invalid_since" | "invalid_until" | "invalid_body" | "invalid_q" | "invalid_email" | "invalid_sla_state" | "invalid_feedback";
                    };
                };
            };
            429: components["responses"]["TooManyRequests2"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationView"];
                };
            };
            400: components["responses"]["MalformedRequest2"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["FeatureNotInPlan"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["TooManyRequests2"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json";
                    };
                };
            };
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["FeatureNotInPlan"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests2"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    updateConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string|null} */
                    status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                    /** @description Instead of those there are. */
                    tags?: string[] | null;
                    /** @enum {string|null} */
                    priority?: "low" | "normal" | "high" | "urgent" | null;
                    /** @description To be added to those there are. */
                    internal_notes?: {
                        content: string;
                        /** @description The agent who acts, in place of the API key's name. */
                        author_email?: string | null;
                    }[] | null;
                    /** @description Null forgets what was known. */
                    customer?: {
                        email?: string | null;
                        name?: string | null;
                        phone?: string | null;
                    } | null;
                    /** @description When a snoozed conversation opens again: required for the status snoozed. */
                    snooze_until?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationView"];
                };
            };
            400: components["responses"]["BadRequest2"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["FeatureNotInPlan"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_status`: status is not one of the known values.
             *
             *     `invalid_tags`: tags must be an array of at most 50 strings of 1 to 64 characters.
             *
             *     `invalid_priority`: priority must be low, normal, high or urgent.
             *
             *     `invalid_internal_notes`: internal_notes must be an array of {content, author_email?}.
             *
             *     `invalid_customer`: customer must be an object with email, name and phone, each a string or null.
             *
             *     `invalid_snooze_until`: snooze_until must be an ISO 8601 time in the future.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_status" | "invalid_tags" | "invalid_priority" | "invalid_internal_notes" | "invalid_customer" | "invalid_snooze_until";
                    };
                };
            };
            429: components["responses"]["TooManyRequests2"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
                /** @description asc: oldest first. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: components["schemas"]["Message"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest2"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["FeatureNotInPlan"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor of this very list.
             *
             *     `invalid_order`: order must be "asc" or "desc".
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_order";
                    };
                };
            };
            429: components["responses"]["TooManyRequests2"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    giveFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null takes it back, with its comment. */
                    value: ("up" | "down") | null;
                    /** @description More, in his own words. Where it is left out, what was said of the same value before stays. */
                    comment?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["BadRequest2"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["FeatureNotInPlan"];
            /**
             * @description `conversation_not_found`: There is no such conversation.
             *
             *     `message_not_found`: There is no such answer in this conversation.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "conversation_not_found" | "message_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_value`: value must be "up", "down" or null.
             *
             *     `invalid_comment`: comment must be a string of at most 4,000 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_value" | "invalid_comment";
                    };
                };
            };
            429: components["responses"]["TooManyRequests2"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    addNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    content: string;
                    /** @description The agent who acts, in place of the API key's name. */
                    author_email?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["BadRequest2"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["FeatureNotInPlan"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_author_email`: author_email must be an e-mail address.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit-Minute": components["headers"]["X-RateLimit-Limit-Minute"];
                    "X-RateLimit-Remaining-Minute": components["headers"]["X-RateLimit-Remaining-Minute"];
                    "X-RateLimit-Limit-Day": components["headers"]["X-RateLimit-Limit-Day"];
                    "X-RateLimit-Remaining-Day": components["headers"]["X-RateLimit-Remaining-Day"];
                    "X-RateLimit-Reset-Day": components["headers"]["X-RateLimit-Reset-Day"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_content" | "invalid_author_email";
                    };
                };
            };
            429: components["responses"]["TooManyRequests2"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError2"];
            503: components["responses"]["Deploying"];
            504: components["responses"]["RequestTimeout"];
        };
    };
    discoverAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        description: string;
                        /** @description Takes questions. */
                        ask_url: string;
                        /** @description The Model Context Protocol server, where the owner turned it on. */
                        mcp_url?: string;
                        /** @enum {string} */
                        protocol: "nlweb";
                        /** @enum {string} */
                        version: "v1";
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    askAgentByAddress: {
        parameters: {
            query: {
                query: string;
                /** @description Where it is asked from; only logged. */
                site?: string;
                /** @description ISO 639-1; told by the question when absent. */
                locale?: string;
                /** @description Earlier questions, oldest first. */
                prev?: string[] | string;
                /** @description The question as it stands without the earlier ones; asked instead of query. */
                decontextualized_query?: string;
                query_id?: string;
                /** @description list (when absent): what is found; summarize: and what it says; generate: an answer. */
                mode?: string;
                /** @description Another name of mode, which many clients use. */
                generate_mode?: string;
                /** @description Whether the answer comes as server-sent events. */
                streaming?: boolean | number | string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer in the form of the NLWeb protocol. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NlwebAnswer"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_field" | "message_too_long" | "malformed_request";
                    };
                };
            };
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `invalid_query`: query must be a string.
             *
             *     `invalid_site`: site must be a string of at most 2,000 characters.
             *
             *     `invalid_locale`: locale must be an ISO 639-1 code.
             *
             *     `invalid_prev`: prev must be a string or an array of strings.
             *
             *     `invalid_decontextualized_query`: decontextualized_query must be a string of at most 4,000 characters.
             *
             *     `invalid_query_id`: query_id must be a string of at most 200 characters.
             *
             *     `invalid_mode`: mode must be list, summarize or generate.
             *
             *     `invalid_generate_mode`: generate_mode must be list, summarize or generate.
             *
             *     `invalid_streaming`: streaming must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_query" | "invalid_site" | "invalid_locale" | "invalid_prev" | "invalid_decontextualized_query" | "invalid_query_id" | "invalid_mode" | "invalid_generate_mode" | "invalid_streaming";
                    };
                };
            };
            429: components["responses"]["TooManyRequests3"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["UpstreamTimeout"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout2"];
        };
    };
    askAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A string; or an object, as NLWeb clients since version 0.5 send it. */
                    query: string | ({
                        text: string;
                        decontextualized_query?: string | null;
                        /** @description Only logged: an address answers for one workspace. */
                        site?: string | string[] | null;
                        max_results?: number | null;
                        min_score?: number | null;
                    } & {
                        [key: string]: unknown;
                    });
                    /** @description Where it is asked from; only logged. */
                    site?: string | null;
                    /** @description ISO 639-1; told by the question when absent. */
                    locale?: string | null;
                    /**
                     * @description Earlier turns, oldest first. To continue a thread, echo a conversation_id as an item: {"role": "conversation_id", "content": "conv_…"}, an object with the property conversation_id, or the id itself.
                     * @default []
                     */
                    previous_responses?: (({
                        role?: string | null;
                        content?: string | null;
                        conversation_id?: string | null;
                    } & {
                        [key: string]: unknown;
                    }) | string)[] | null;
                    /** @description Earlier questions, oldest first. */
                    prev?: string[] | string | null;
                    /** @description The question as it stands without the earlier ones; asked instead of query. */
                    decontextualized_query?: string | null;
                    query_id?: string | null;
                    /** @description list (when absent): what is found; summarize: and what it says; generate: an answer. */
                    mode?: string | null;
                    /** @description Another name of mode, which many clients use. */
                    generate_mode?: string | null;
                    /** @description Whether the answer comes as server-sent events. */
                    streaming?: (boolean | number | string) | null;
                    context?: ({
                        /** @description Earlier questions, oldest first. */
                        prev?: string[] | string | null;
                        /** @description What the question is about, in a sentence. */
                        text?: string | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    prefer?: ({
                        /** @description Server-sent events (default) or one JSON object. */
                        streaming?: (boolean | number | string) | null;
                        /** @description conv_search: `results`; chatgpt_app: `content` and `structuredData`; both when absent. */
                        response_format?: string | null;
                        mode?: string | null;
                        "accept-language"?: string | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    meta?: ({
                        /** @description From an earlier answer, to continue its conversation. */
                        session_context?: ({
                            conversation_id?: string | null;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                };
            };
        };
        responses: {
            /** @description The answer, in the dialect of the request: the documented one; NLWeb where a parameter of that protocol is sent; NLWeb since 0.5 where query is an object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicAnswer"] | components["schemas"]["NlwebAnswer"] | components["schemas"]["NlwebObjectAnswer"];
                    "text/event-stream": string;
                };
            };
            /**
             * @description `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_field" | "message_too_long" | "malformed_request" | "invalid_json";
                    };
                };
            };
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_site`: site must be a string of at most 2,000 characters.
             *
             *     `invalid_locale`: locale must be an ISO 639-1 code.
             *
             *     `invalid_previous_responses`: previous_responses must be an array of objects with role and content.
             *
             *     `invalid_prev`: prev must be a string or an array of strings.
             *
             *     `invalid_decontextualized_query`: decontextualized_query must be a string of at most 4,000 characters.
             *
             *     `invalid_query_id`: query_id must be a string of at most 200 characters.
             *
             *     `invalid_mode`: mode must be list, summarize or generate.
             *
             *     `invalid_generate_mode`: generate_mode must be list, summarize or generate.
             *
             *     `invalid_streaming`: streaming must be true or false.
             *
             *     `invalid_context`: context must be an object with prev and text, each optional.
             *
             *     `invalid_prefer`: prefer must be an object with streaming, response_format and mode, each optional.
             *
             *     `invalid_meta`: meta must be an object with session_context, which is optional.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_site" | "invalid_locale" | "invalid_previous_responses" | "invalid_prev" | "invalid_decontextualized_query" | "invalid_query_id" | "invalid_mode" | "invalid_generate_mode" | "invalid_streaming" | "invalid_context" | "invalid_prefer" | "invalid_meta";
                    };
                };
            };
            429: components["responses"]["TooManyRequests3"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["UpstreamTimeout"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout2"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: components["schemas"]["Workspace"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme help",
                 *       "settings": {
                 *         "audiences": [
                 *           "staff"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    /**
                     * @default starter
                     * @enum {string|null}
                     */
                    plan?: "free" | "starter" | "growth" | "business" | "enterprise" | null;
                    /** @description A new owner when absent. */
                    owner?: string | null;
                    settings?: {
                        nlweb_enabled?: boolean | null;
                        mcp_enabled?: boolean | null;
                        description?: string | null;
                        fallback_message?: string | null;
                        audiences?: string[] | null;
                        require_identity_verification?: boolean | null;
                        /** @enum {string|null} */
                        strictness?: "strict" | "fallback" | null;
                        allowed_domains?: string[] | null;
                        sla?: {
                            first_response_minutes?: number | null;
                            resolution_minutes?: number | null;
                        } | null;
                        retention_days?: number | null;
                        model?: string | null;
                        mask_secrets?: boolean | null;
                        skills?: string[] | null;
                        support_hours?: {
                            time_zone: string;
                            monday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            tuesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            wednesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            thursday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            friday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            saturday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            sunday?: {
                                from: string;
                                to: string;
                            }[] | null;
                        } | null;
                        escalate_after_fallbacks?: number | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        owner: string;
                        name: string;
                        /** @enum {string} */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        settings: {
                            nlweb_enabled?: boolean;
                            mcp_enabled?: boolean;
                            description?: string;
                            fallback_message?: string;
                            audiences?: string[];
                            require_identity_verification?: boolean;
                            /** @enum {string} */
                            strictness?: "strict" | "fallback";
                            allowed_domains?: string[];
                            sla?: {
                                first_response_minutes?: number;
                                resolution_minutes?: number;
                            };
                            retention_days?: number;
                            model?: string;
                            mask_secrets?: boolean;
                            skills?: string[];
                            support_hours?: {
                                time_zone: string;
                                monday?: {
                                    from: string;
                                    to: string;
                                }[];
                                tuesday?: {
                                    from: string;
                                    to: string;
                                }[];
                                wednesday?: {
                                    from: string;
                                    to: string;
                                }[];
                                thursday?: {
                                    from: string;
                                    to: string;
                                }[];
                                friday?: {
                                    from: string;
                                    to: string;
                                }[];
                                saturday?: {
                                    from: string;
                                    to: string;
                                }[];
                                sunday?: {
                                    from: string;
                                    to: string;
                                }[];
                            };
                            escalate_after_fallbacks?: number;
                        };
                        /** @description For browsers: opens the widget only. */
                        public_token: string;
                        /** Format: date-time */
                        created_at: string;
                        /** @description Shown here and nowhere else. */
                        identity_secret: string;
                    };
                };
            };
            400: components["responses"]["BadRequest3"];
            401: components["responses"]["Unauthorized"];
            /** @description `owner_not_found`: There is no such owner. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "owner_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_plan`: plan must be free, starter, growth, business or enterprise.
             *
             *     `invalid_owner`: owner must be a string of 1 to 100 characters.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_name" | "invalid_plan" | "invalid_owner" | "invalid_settings";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queues"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listQueueFailures: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description answer: messages of visitors. deliver: what is sent to them. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        failures: components["schemas"]["QueueFailure"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description `queue_not_found`: Only the queues answer and deliver keep what they gave up. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "queue_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    retryQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description answer: messages of visitors. deliver: what is sent to them. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only of this channel; of all when absent. */
                    channel_id?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        retried: number;
                    };
                };
            };
            400: components["responses"]["BadRequest3"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `queue_not_found`: Only the queues answer and deliver keep what they gave up.
             *
             *     `channel_not_found`: There is no such channel.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "queue_not_found" | "channel_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getSecretsStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretsStatus"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    resealSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResealReport"];
                };
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rotateEncryptionKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResealReport"];
                };
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `encryption_key_configured`: ENCRYPTION_KEY is set: put the new key there and the former one in ENCRYPTION_KEY_PREVIOUS, restart every process, then reseal.
             *
             *     `encryption_key_shared`: Other processes may use the key in DATA_DIR: set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the one in DATA_DIR/encryption-key, restart every process, then reseal.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "encryption_key_configured" | "encryption_key_shared";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @enum {string|null} */
                    plan?: "free" | "starter" | "growth" | "business" | "enterprise" | null;
                    settings?: {
                        nlweb_enabled?: boolean | null;
                        mcp_enabled?: boolean | null;
                        description?: string | null;
                        fallback_message?: string | null;
                        audiences?: string[] | null;
                        require_identity_verification?: boolean | null;
                        strictness?: ("strict" | "fallback") | null;
                        allowed_domains?: string[] | null;
                        sla?: {
                            first_response_minutes?: number | null;
                            resolution_minutes?: number | null;
                        } | null;
                        retention_days?: number | null;
                        model?: string | null;
                        mask_secrets?: boolean | null;
                        skills?: string[] | null;
                        support_hours?: {
                            time_zone: string;
                            monday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            tuesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            wednesday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            thursday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            friday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            saturday?: {
                                from: string;
                                to: string;
                            }[] | null;
                            sunday?: {
                                from: string;
                                to: string;
                            }[] | null;
                        } | null;
                        escalate_after_fallbacks?: number | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `plan_downgrade_blocked`: The plan cannot be lowered in the middle of a cycle. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "plan_downgrade_blocked";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_plan`: plan must be free, starter, growth, business or enterprise.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_name" | "invalid_plan" | "invalid_settings";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Website",
                 *       "rate_limit_minute": 120
                 *     }
                 */
                "application/json": {
                    name: string;
                    rate_limit_minute?: number | null;
                    rate_limit_day?: number | null;
                    /** Format: date-time */
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        workspace_id: string;
                        name: string;
                        /** @description The last four characters of the key. */
                        ending: string;
                        rate_limit_minute: number;
                        rate_limit_day: number;
                        expires_at: string | null;
                        /** @description Until when the former value works after a rotation; null where only one works. */
                        previous_valid_until: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description The key itself: shown here and nowhere else. */
                        key: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_rate_limit_minute`: rate_limit_minute must be an integer from 1 to 1,000.
             *
             *     `invalid_rate_limit_day`: rate_limit_day must be an integer from 1 to 100,000.
             *
             *     `invalid_expires_at`: expires_at must be an ISO 8601 time in the future.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_name" | "invalid_rate_limit_minute" | "invalid_rate_limit_day" | "invalid_expires_at";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound2"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documents: components["schemas"]["Document"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    addDocument: {
        parameters: {
            query?: {
                /** @description Answer when it is indexed or failed. */
                wait?: "true" | "false";
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string | null;
                    /**
                     * Format: uri
                     * @description A document with the same address is replaced.
                     */
                    url?: string | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /** @description The text, unless there is a file. */
                    content?: string | null;
                    /** @enum {string|null} */
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, Markdown, HTML, text or CSV.
                     */
                    file?: string | null;
                };
                "multipart/form-data": {
                    title?: string | null;
                    /**
                     * Format: uri
                     * @description A document with the same address is replaced.
                     */
                    url?: string | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /** @description The text, unless there is a file. */
                    content?: string | null;
                    /** @enum {string|null} */
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, Markdown, HTML, text or CSV.
                     */
                    file?: string | null;
                };
            };
        };
        responses: {
            /** @description With wait: it is indexed or failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description It will be indexed. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest8"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_wait`: wait must be "true" or "false".
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_title`: title must be a string of 1 to 500 characters.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_content_type`: content_type must be text/plain, text/markdown or text/html.
             *
             *     `invalid_file`: file must be exactly one non-empty file.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_wait" | "invalid_body" | "invalid_title" | "invalid_url" | "invalid_audience" | "invalid_content" | "invalid_content_type" | "invalid_file";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound3"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound3"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "delivery to Germany",
                 *       "top_k": 3
                 *     }
                 */
                "application/json": {
                    query: string;
                    /** @default 5 */
                    top_k?: number | null;
                    /** @default [] */
                    audience?: string[] | null;
                    document_ids?: string[] | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["SearchResult"][];
                    };
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing.
             *
             *     `message_too_long`: query is longer than 4,000 characters.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field" | "message_too_long";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound3"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_top_k`: top_k must be an integer from 1 to 20.
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_top_k" | "invalid_audience" | "invalid_document_ids";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
                message_id: string;
                /** @description From 0, in the order of `attachments` of the message. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `conversation_not_found`: There is no such conversation.
             *
             *     `attachment_not_found`: There is no such file, or its platform does not have it any more.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found" | "attachment_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description `attachment_unavailable`: The platform of the channel did not hand the file out. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "attachment_unavailable";
                    };
                };
            };
            503: components["responses"]["Deploying2"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        audit_log: components["schemas"]["AuditEntry"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound4"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    replyAsAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Your parcel is on its way.",
                 *       "author_email": "ann@example.com"
                 *     }
                 */
                "application/json": {
                    /** @description Markdown. */
                    content: string;
                    /**
                     * Format: email
                     * @description The agent who says it.
                     */
                    author_email: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound4"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `channel_unreachable`: Nothing can be sent there: the channel is switched off, or the visitor has blocked it or asked us not to write.
             *
             *     `channel_window_closed`: The visitor wrote too long ago: until he writes again, his platform takes nothing for him.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_unreachable" | "channel_window_closed";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_author_email`: author_email must be an e-mail address.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_content" | "invalid_author_email";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many there were. */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound4"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    exportPerson: {
        parameters: {
            query?: {
                email?: string;
                /** @description Compared by its digits, of which it has at least five. */
                phone?: string;
                user_id?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonExport"];
                };
            };
            /**
             * @description `missing_field`: A required field is missing.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_field" | "malformed_request" | "invalid_workspace_id";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    erasePerson: {
        parameters: {
            query?: {
                email?: string;
                /** @description Compared by its digits, of which it has at least five. */
                phone?: string;
                user_id?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
            /**
             * @description `missing_field`: A required field is missing.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `invalid_workspace_id`: workspace_id is malformed: it looks like ws_… or wt_<id>_<suffix>.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "missing_field" | "malformed_request" | "invalid_json" | "invalid_workspace_id";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["UnprocessableEntity2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listWorkspaceAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        audit_log: components["schemas"]["AuditEntry"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks",
                 *       "events": [
                 *         "answer.low_confidence"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description Where events are posted to, by http or https, without a user name.
                     */
                    url: string;
                    /** @description `*` stands for every event, also for kinds that are added later. */
                    events: ("conversation.created" | "message.created" | "message.failed" | "answer.low_confidence" | "message.feedback" | "lead.captured" | "conversation.escalated" | "conversation.status_changed" | "document.indexed" | "document.failed" | "sla.at_risk" | "sla.breached" | "*")[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        workspace_id: string;
                        url: string;
                        events: string[];
                        enabled: boolean;
                        disabled_at: string | null;
                        /** @description Why nothing is sent to it any more. */
                        disabled_reason: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description What events are signed with: shown here and nowhere else. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_events`: events must be an array of one or more of the known events, or ["*"] for all.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_url" | "invalid_events";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_enabled`: enabled must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_enabled";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `workspace_not_found`: There is no such workspace.
             *
             *     `webhook_not_found`: There is no such webhook.
             *
             *     `delivery_not_found`: There is no such delivery of this webhook.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "webhook_not_found" | "delivery_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            /** @description `webhook_disabled`: This webhook is disabled: enable it first. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "webhook_disabled";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listSkills: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        skills: components["schemas"]["Skill"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "order_status",
                 *       "description": "Looks up where an order is. Use it when a visitor asks about an order of theirs.",
                 *       "parameters": {
                 *         "type": "object",
                 *         "properties": {
                 *           "order_id": {
                 *             "type": "string",
                 *             "description": "The number on the confirmation"
                 *           }
                 *         },
                 *         "required": [
                 *           "order_id"
                 *         ]
                 *       },
                 *       "url": "https://example.com/skills/order-status"
                 *     }
                 */
                "application/json": {
                    /** @description Tells a language model when to use it. */
                    description: string;
                    /** @description Its arguments: a JSON Schema (2020-12) of an object, at most 16 KB, without foreign references. */
                    parameters: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uri
                     * @description Where its calls are posted to, by https, without a user name.
                     */
                    url: string;
                    /** @default 10 */
                    timeout_seconds?: number | null;
                    /**
                     * @description verified: only for visitors whose identity was proven.
                     * @default everyone
                     * @enum {string|null}
                     */
                    runs_for?: "everyone" | "verified" | null;
                    /** @default true */
                    enabled?: boolean | null;
                    /** @description What models call it by: no two skills of a workspace have the same. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        workspace_id: string;
                        name: string;
                        description: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        url: string;
                        timeout_seconds: number;
                        /** @enum {string} */
                        runs_for: "everyone" | "verified";
                        enabled: boolean;
                        /** Format: date-time */
                        created_at: string;
                        /** @description What calls are signed with: shown here and nowhere else. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `skill_name_taken`: This workspace has an HTTP skill of that name.
             *
             *     `too_many_skills`: This workspace has 20 HTTP skills, the most that it can have: delete one first.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "skill_name_taken" | "too_many_skills";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_description`: description must be a string of 1 to 1,000 characters.
             *
             *     `invalid_parameters`: parameters must be a JSON Schema (2020-12) of an object, of at most 16 KB.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_timeout_seconds`: timeout_seconds must be an integer from 1 to 20.
             *
             *     `invalid_runs_for`: runs_for must be "everyone" or "verified".
             *
             *     `invalid_enabled`: enabled must be true or false.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_description" | "invalid_parameters" | "invalid_url" | "invalid_timeout_seconds" | "invalid_runs_for" | "invalid_enabled" | "invalid_name";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Tells a language model when to use it. */
                    description?: string | null;
                    /** @description Its arguments: a JSON Schema (2020-12) of an object, at most 16 KB, without foreign references. */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * Format: uri
                     * @description Where its calls are posted to, by https, without a user name.
                     */
                    url?: string | null;
                    timeout_seconds?: number | null;
                    /**
                     * @description verified: only for visitors whose identity was proven.
                     * @enum {string|null}
                     */
                    runs_for?: "everyone" | "verified" | null;
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skill"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_description`: description must be a string of 1 to 1,000 characters.
             *
             *     `invalid_parameters`: parameters must be a JSON Schema (2020-12) of an object, of at most 16 KB.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_timeout_seconds`: timeout_seconds must be an integer from 1 to 20.
             *
             *     `invalid_runs_for`: runs_for must be "everyone" or "verified".
             *
             *     `invalid_enabled`: enabled must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_description" | "invalid_parameters" | "invalid_url" | "invalid_timeout_seconds" | "invalid_runs_for" | "invalid_enabled";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    testSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "arguments": {
                 *         "order_id": "A-1024"
                 *       }
                 *     }
                 */
                "application/json": {
                    arguments: {
                        [key: string]: unknown;
                    };
                    /** @description Calls it as for this visitor, as if proven; for nobody in particular when absent. */
                    user_id?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What a visitor would be told as it is. */
                        says: string | null;
                        /** @description What an answer would be written from. */
                        finding: string | null;
                        /** @description What its server answered; null where it did not. */
                        status: number | null;
                        /** @description Why it failed. */
                        error: string | null;
                        duration_ms: number;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_arguments`: arguments must be an object.
             *
             *     `invalid_user_id`: user_id must be a string of 1 to 200 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_arguments" | "invalid_user_id";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listChannels: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channels: components["schemas"]["Channel"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "telegram",
                 *       "name": "Help bot",
                 *       "credentials": {
                 *         "bot_token": "123456:ABC-DEF"
                 *       },
                 *       "settings": {
                 *         "mode": "polling"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Its kind, such as telegram. */
                    channel: string;
                    /** @description Absent: that of its kind. */
                    name?: string | null;
                    /**
                     * @description What the platform gave, such as bot_token. It is encrypted, and never shown again.
                     * @default {}
                     */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description Of every channel api_base_url, enabled, and verify (false: stored without asking the platform); the others depend on the channel.
                     * @default {}
                     */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description false: what comes from the platform is refused.
                     * @default true
                     */
                    enabled?: boolean | null;
                    /** @description The channel whose app it shares, of whichever workspace: what is not given here is that one’s. */
                    parent?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `tenant_taken`: That team has a channel under this one already.
             *
             *     `slug_taken`: Another page has this slug: choose another one.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "tenant_taken" | "slug_taken";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `unknown_channel`: There is no channel of that kind.
             *
             *     `unknown_parent`: There is no channel of that id to be under.
             *
             *     `tenancy_not_supported`: Channels of this kind do not share an app.
             *
             *     `channel_verification_failed`: The platform does not accept these credentials.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_channel`: channel is not one of the known values.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_credentials`: credentials must be an object with what the channel takes.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             *
             *     `invalid_enabled`: enabled must be true or false.
             *
             *     `invalid_parent`: parent must be the id of a channel of the same kind that is itself under none.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_channel" | "unknown_parent" | "tenancy_not_supported" | "channel_verification_failed" | "invalid_body" | "invalid_channel" | "invalid_name" | "invalid_credentials" | "invalid_settings" | "invalid_enabled" | "invalid_parent";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @description What the platform gave, such as bot_token. It is encrypted, and never shown again. */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Of every channel api_base_url, enabled, and verify (false: stored without asking the platform); the others depend on the channel. */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description false: what comes from the platform is refused. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `slug_taken`: Another page has this slug: choose another one. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "slug_taken";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `unknown_channel`: There is no channel of that kind.
             *
             *     `channel_verification_failed`: The platform does not accept these credentials.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             *
             *     `invalid_credentials`: credentials must be an object with what the channel takes.
             *
             *     `invalid_settings`: settings holds a value that is not understood.
             *
             *     `invalid_enabled`: enabled must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_channel" | "channel_verification_failed" | "invalid_body" | "invalid_name" | "invalid_credentials" | "invalid_settings" | "invalid_enabled";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createInstallLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `no_public_address`: PUBLIC_URL is absent: the platform has no address to send people back to.
             *
             *     `app_not_installable`: The channel has no app that can be installed: give it the credentials that this takes.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "no_public_address" | "app_not_installable";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_parent`: parent must be the id of a channel of the same kind that is itself under none.
             *
             *     `tenancy_not_supported`: Channels of this kind do not share an app.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_parent" | "tenancy_not_supported";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rotateIdentitySecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long the former value still works; 0: it ends at once.
                     * @default 86400
                     */
                    grace_seconds?: number | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown here and nowhere else. */
                        identity_secret: string;
                        /**
                         * Format: date-time
                         * @description When the former value ends, or ended.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["UnprocessableEntity3"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rotatePublicToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long the former value still works; 0: it ends at once.
                     * @default 86400
                     */
                    grace_seconds?: number | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        public_token: string;
                        /**
                         * Format: date-time
                         * @description When the former value ends, or ended.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["UnprocessableEntity3"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long the former value still works; 0: it ends at once.
                     * @default 86400
                     */
                    grace_seconds?: number | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description Shown here and nowhere else. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description When the former value ends, or ended.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["UnprocessableEntity3"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rotateSkillSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                skill_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long the former value still works; 0: it ends at once.
                     * @default 86400
                     */
                    grace_seconds?: number | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description Shown here and nowhere else. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description When the former value ends, or ended.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["UnprocessableEntity3"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long the former value still works; 0: it ends at once.
                     * @default 86400
                     */
                    grace_seconds?: number | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description Shown here and nowhere else. */
                        key: string;
                        /**
                         * Format: date-time
                         * @description When the former value ends, or ended.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound2"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `key_expired`: This key has expired: create a new one. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "key_expired";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["UnprocessableEntity3"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rotateChannelToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                chan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long the former value still works; 0: it ends at once.
                     * @default 86400
                     */
                    grace_seconds?: number | null;
                } | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        public_token: string;
                        /**
                         * Format: date-time
                         * @description When the former value ends, or ended.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `no_public_token`: Only a widget channel has a public token. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "no_public_token";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            422: components["responses"]["UnprocessableEntity3"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: {
                /** @description Answer when it is indexed or failed. */
                wait?: "true" | "false";
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    title?: string;
                    /**
                     * Format: uri
                     * @description A document with the same address is replaced.
                     */
                    url?: string;
                    /** @default [] */
                    audience?: string[];
                    /**
                     * Format: binary
                     * @description PDF, DOCX, Markdown, HTML, text or CSV.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description With wait: it is indexed or failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description It will be indexed. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest8"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_wait`: wait must be "true" or "false".
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_title`: title must be a string of 1 to 500 characters.
             *
             *     `invalid_url`: url must be an http(s) address of at most 2,000 characters.
             *
             *     `invalid_audience`: audience must be an array of the workspace's audience tags.
             *
             *     `invalid_file`: file must be exactly one non-empty file.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_wait" | "invalid_body" | "invalid_title" | "invalid_url" | "invalid_audience" | "invalid_file";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getWidget: {
        parameters: {
            query?: {
                /** @description The languages that the page wants, such as `de-AT,en`: the first that there is. */
                lang?: string;
            };
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetLook"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user?: {
                        user_id: string;
                        /** @description Lower-case hexadecimal HMAC-SHA256 of user_id under the workspace's identity secret. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) under the identity secret. */
                    verification_token?: string | null;
                    previous_session?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorSession"];
                };
            };
            400: components["responses"]["BadRequest3"];
            /**
             * @description `verification_required`: Identity verification is required: pass user.hash or verification_token.
             *
             *     `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "verification_required" | "origin_not_allowed";
                    };
                };
            };
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_user`: user must be an object with user_id, and optionally hash, name and email.
             *
             *     `invalid_verification_token`: verification_token must be a string.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_user" | "invalid_verification_token";
                    };
                };
            };
            429: components["responses"]["TooManyRequests4"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    closeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    askAsVisitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Empty only where there are files. */
                    query: string;
                    /**
                     * @description The ids of files that were sent before, by POST …/files.
                     * @default []
                     */
                    files?: string[] | null;
                    /** @description Where the visitor is on the site: shown to the people who answer. */
                    metadata?: {
                        page_url?: string | null;
                        page_title?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Server-sent events: status frames, token frames, and one last frame. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest9"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound8"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_files`: files must be an array of at most 5 ids of files that were sent before.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_files" | "invalid_metadata";
                    };
                };
            };
            429: components["responses"]["TooManyRequests5"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
            504: components["responses"]["RequestTimeout2"];
        };
    };
    askForPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the visitor's button says: it stands in the conversation, and tells the language. */
                    query: string;
                    /** @description Where the visitor is on the site: shown to the people who answer. */
                    metadata?: {
                        page_url?: string | null;
                        page_title?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Server-sent events: status frames, token frames, and one last frame. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest9"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_metadata`: metadata must be an object of at most 16 KB.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_query" | "invalid_metadata";
                    };
                };
            };
            429: components["responses"]["TooManyRequests5"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
            504: components["responses"]["RequestTimeout2"];
        };
    };
    leaveContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    name?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest3"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_email`: email must be an e-mail address.
             *
             *     `invalid_name`: name must be a string of 1 to 200 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_email" | "invalid_name";
                    };
                };
            };
            429: components["responses"]["TooManyRequests4"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    handInFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description PNG, JPEG, GIF, WebP, PDF or plain text.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorFile"];
                };
            };
            /**
             * @description `invalid_multipart`: The multipart body could not be read.
             *
             *     `malformed_request`: The request is not valid HTTP, or its address is not a valid one.
             *
             *     `invalid_json`: The body is not valid JSON.
             *
             *     `missing_field`: A required field is missing.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_multipart" | "malformed_request" | "invalid_json" | "missing_field";
                    };
                };
            };
            401: components["responses"]["Unauthorized3"];
            /**
             * @description `origin_not_allowed`: This origin may not call this address: see the setting allowed_domains.
             *
             *     `attachments_off`: Files are not taken here: see the setting attachments of the channel.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "origin_not_allowed" | "attachments_off";
                    };
                };
            };
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `too_many_files`: No more files of visitors are kept for this workspace. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "too_many_files";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_file`: file must be exactly one non-empty file.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_file";
                    };
                };
            };
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `challenge_required`: There is much to do: show work for this request as the header Challenge says, or come back later.
             *
             *     `rate_limit_day`: Too many requests today: the count starts again at midnight UTC.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    Challenge: components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "challenge_required" | "rate_limit_day";
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listVisitorMessages: {
        parameters: {
            query?: {
                limit?: number;
                /** @description next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisitorMessages"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    hearVisitorEvents: {
        parameters: {
            query?: {
                /** @description It ends after so long, as for who has to read it whole. */
                seconds?: number;
            };
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            422: components["responses"]["InvalidBody"];
            /**
             * @description `rate_limit_minute`: Too many requests this minute.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rate_limit_minute" | "rate_limit_concurrent";
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    judgeAsVisitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null takes it back, with its comment. */
                    value: ("up" | "down") | null;
                    /** @description More, in his own words. Where it is left out, what was said of the same value before stays. */
                    comment?: string | null;
                    message_id: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest3"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["OriginNotAllowed"];
            /**
             * @description `channel_not_found`: There is no such channel.
             *
             *     `message_not_found`: There is no such answer in this conversation.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_not_found" | "message_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_value`: value must be "up", "down" or null.
             *
             *     `invalid_comment`: comment must be a string of at most 4,000 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_value" | "invalid_comment";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    readAsVisitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["ChannelNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    takeFileBack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                public_token: string;
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized3"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["NotFound8"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
}
