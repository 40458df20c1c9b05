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
         * Check that the process is alive
         * @description Responds with 200 as long as the process runs, even if other parts fail. Use it as a liveness probe.
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
         * Check that the server can take requests
         * @description Responds with 200 if this process can serve requests, otherwise with 503, and with the state of each part. Use it as a readiness probe.
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
         * Get the metrics of this process for Prometheus
         * @description Returns the metrics of this process in the text format of Prometheus. Requires the operator's token.
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
         * @description Searches the workspace, writes an answer and stores both as a conversation. A successful request counts as one message of the month. With an `Idempotency-Key`, a retry returns the stored answer and does not count again. If no grounded answer is found, the response is the fallback message with `confidence` `low`. A request that takes longer than 30 seconds ends with `504 request_timeout`.
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
         * Stream an answer from the documents of a workspace as it is written
         * @description Like `POST /v1/query`, but sends the answer as server-sent events while it is written: status frames, token frames, and one final frame with the sources. Errors that occur before the answer begins are ordinary error responses; a later error is the last frame. If the client disconnects, generation stops, the partial answer is stored as `cancelled`, and the request counts. The stream ends after 30 seconds at the latest.
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
         * @description Returns the conversations that match all given filters. Pages neither skip nor repeat conversations if messages arrive between requests.
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
         * @description Returns the conversation with its complete history, its internal notes and its audit log, read at a single point in time. Use `listMessages` to page through a long conversation.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation with its messages and notes; its audit log is kept
         * @description Deletes the conversation with its messages and notes. The audit log is kept and stays readable by the operator. This cannot be undone.
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        /**
         * Change a conversation and record each change in its audit log
         * @description Changes only the fields that are sent. Each change is written to the audit log and sent to webhooks that subscribe to it. `tags` replaces all tags, and `internal_notes` are appended to the existing ones. The status `snoozed` requires `snooze_until`.
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
         * @description Returns the messages of the conversation in pages, oldest first unless `order` is `desc`. Answers and replies include the state of their delivery to the visitor's platform.
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
         * Rate an answer on behalf of the visitor
         * @description Stores the visitor's rating of an answer. The latest rating counts, and sending the same one again changes nothing. Webhooks receive `message.feedback`.
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
         * Add an internal note that visitors never see
         * @description Adds a note that is visible to agents only. The author is the name of the API key unless `author_email` is given.
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
         * Discover the public agent of a workspace
         * @description Returns the name and description of the workspace and the URLs of its public agent. Needs no key. Returns 404 unless the owner has enabled the public agent.
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
         * Ask a public question in the format of the open NLWeb protocol
         * @description Like `POST …/ask`, with the parameters in the query string. The same limits apply.
         */
        get: operations["askAgentByAddress"];
        put?: never;
        /**
         * Ask a public question without a key
         * @description Answers from the documents without audience tags. The response is one JSON object, or follows the NLWeb protocol if the request uses its parameters. Needs no key. An IP address can send 30 requests in 60 seconds, and each answer counts towards the owner's monthly quota.
         */
        post: operations["askAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who calls
         * @description Returns the signed-in person, the workspaces that they may see, and their permissions.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your own profile
         * @description Changes only the fields that are sent. A language or time zone of null follows the browser.
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/admin/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own sessions
         * @description Returns where the signed-in person is signed in, the last used first. The operator token has none.
         */
        get: operations["listMySessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/me/sessions/{session_id}": {
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
         * End one of your own sessions
         * @description The browser of that session has to sign in again with its next request.
         */
        delete: operations["endMySession"];
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
         * @description Returns the workspaces that the caller may see in pages: all of the installation with the operator token.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Creates a workspace, by default for a new owner and on the plan `starter`. The response contains the identity secret, which is not shown again.
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
         * Show the backlog, the failed jobs and the state of the channels
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
         * List the failed jobs of a queue, newest first
         * @description Returns messages that could not be answered (`answer`) and parts that could not be sent (`deliver`), each with its reason.
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
         * Retry the failed jobs of a queue
         * @description Queues failed jobs again, for one channel or for all. Parts that a platform rejected permanently are not retried.
         */
        post: operations["retryQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channel-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of channels
         * @description Returns each kind with the JSON schemas of its credentials and settings, its set-up steps, and what it can do.
         */
        get: operations["listChannelKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/source-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of sources
         * @description Returns each kind with the JSON schemas of its settings and credentials.
         */
        get: operations["listSourceKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check every part of the installation
         * @description Checks configuration, storage, queue, workers, models, reranker, public URL and channels, and returns one finding for each. Each model of a provider gets a short request, which the provider bills. Takes up to 20 seconds.
         */
        post: operations["examineInstallation"];
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
         * Show which encryption keys the stored secrets need
         * @description Returns the id of the current encryption key and, for each table, the number of values that still need an old one. If there are none, ENCRYPTION_KEY_PREVIOUS can be removed.
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
         * Encrypt all stored secrets with the current encryption key
         * @description Workers do the same in the background. The request can be aborted and repeated. Once outdated_key_ids is empty, ENCRYPTION_KEY_PREVIOUS can be removed.
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
         * Create a new encryption key in DATA_DIR and encrypt all stored secrets with it
         * @description Only for an installation with the embedded database and without ENCRYPTION_KEY. The old key is kept in the data directory until a start finds that no value needs it.
         */
        post: operations["rotateEncryptionKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/persons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List everybody who can sign in
         * @description Returns the people of this installation with their roles, by email address.
         */
        get: operations["listPersons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/begin-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the link for the first person
         * @description Returns the link with which the first person makes their account within a day. The link before it stops working. Fails once somebody can sign in.
         */
        post: operations["createBeginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/persons/{person_id}/recovery-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link for a new password of a person
         * @description Returns a link with which the person sets a new password within a day. Their second factor is removed, and their sessions end, when they use it. For members of an owner only the operator token may make one, because the link opens all that the person may do.
         */
        post: operations["createPersonLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/persons/{person_id}": {
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
         * Remove a person from the installation
         * @description Deletes the account of the person, their memberships, passkeys and sessions. This cannot be undone.
         */
        delete: operations["removePerson"];
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
         * Delete a workspace and everything in it
         * @description Deletes the workspace with its documents, conversations, channels and keys. Its keys stop working immediately. This cannot be undone.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Change a workspace
         * @description Changes only the fields that are sent. `settings` is merged into the existing settings; a setting of null is cleared.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/settings-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the JSON schema of the settings
         * @description Returns the schema that validates `settings`, for forms. Each property has a title, a description, its default where there is one, `x-effect` (what changes, and when) and `x-group`.
         */
        get: operations["getSettingsSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/identity_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of the identity secret
         * @description Returns whether a rotation is under way. The secret itself is never returned.
         */
        get: operations["getIdentitySecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the usage of the month
         * @description Returns the messages of the calendar month (UTC) that count against the owner's quota, and the answers of this workspace by channel and by day. Answers of deleted conversations are missing from the latter.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/answer_probabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how sure the answers were
         * @description Returns the answers of the last 30 days by their probability, to choose `answer_from` and `maybe_from`. A correction in use is applied to all of them. Answers that a language model wrote, courtesies and answers of deleted conversations are not counted.
         */
        get: operations["getAnswerProbabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/correction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the correction of probabilities
         * @description Returns the correction in use and the one that is offered. Once a week a correction of the probabilities of answers is fitted to the answers of the last 90 days that visitors judged. It is offered if it is better, by a margin, on answers that it was not fitted to, and used only once it is accepted.
         */
        get: operations["getAnswerCorrection"];
        /**
         * Use the offered correction
         * @description Puts the offered correction in use. It changes `probability` and `tier` of the next answers; stored ones stay as they are.
         */
        put: operations["useAnswerCorrection"];
        post?: never;
        /**
         * Take the correction back
         * @description The next answers have the probabilities of the product again. Does nothing if no correction is in use. Closes an open offer; the next one comes in four weeks at the earliest.
         */
        delete: operations["deleteAnswerCorrection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/correction/fit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fit a correction of probabilities now
         * @description Fits a correction to the judged answers of the last 90 days. Changes nothing, unless `offer` is true: then the correction is offered if it is better by a margin, in place of an open offer.
         */
        post: operations["fitAnswerCorrection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/correction/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline the offered correction
         * @description Closes the offer. The next one comes in four weeks at the earliest.
         */
        post: operations["declineAnswerCorrection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/snippets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the snippets of a workspace, newest first
         * @description Returns the snippets of the workspace in pages.
         */
        get: operations["listSnippets"];
        put?: never;
        /**
         * Add a snippet
         * @description Adds a text that agents insert into replies by its name.
         */
        post: operations["createSnippet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/snippets/{snippet_id}": {
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
         * Delete a snippet
         * @description Deletes the snippet. Replies that were written with it stay. With `restorable=true` it can be restored for a minute.
         */
        delete: operations["deleteSnippet"];
        options?: never;
        head?: never;
        /**
         * Change a snippet
         * @description Changes only the fields that are sent.
         */
        patch: operations["updateSnippet"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/snippets/{snippet_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted snippet
         * @description Takes back a deletion with `restorable=true`, within a minute.
         */
        post: operations["restoreSnippet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of a workspace, the most used first
         * @description Returns at most 500 tags with the number of conversations that have them.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/tags/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a tag, or merge it into another one
         * @description Replaces the tag in all conversations and snippets. If the new name is in use already, the two tags become one, which cannot be undone.
         */
        post: operations["renameTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/tags/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a tag
         * @description Removes the tag from all conversations and snippets. With `restorable` it can be restored for a minute.
         */
        post: operations["removeTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/tags/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a removed tag
         * @description Takes back a removal with `restorable`, within a minute: the conversations and snippets that had the tag get it back.
         */
        post: operations["restoreTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Returns the keys of the workspace without their values, with their outcomes of the last 30 days. Requests to other processes in the last ten seconds are missing.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key with its own rate limits. The response contains the key, which is not shown again.
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
         * @description Revokes the key. Requests with it are rejected with `401 invalid_key` immediately.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Changes only the fields that are sent. The value of the key stays the same.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/keys/{key_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the revocation of an API key back
         * @description Makes a key that was revoked in the last hour valid again, with the same value. Where it was refused in the last minute, it can take a minute.
         */
        post: operations["restoreKey"];
        delete?: never;
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
         * Add a document, or replace the one with the same URL or file name
         * @description Adds a document from the text in `content` and queues it for indexing. It replaces a document with the same `url` or file name; answers use the old content until the new one is indexed. The response is 202 immediately, or with `wait=true` 200 after indexing has succeeded or failed. To send a file, use `uploadDocument`; a form is accepted here as well.
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
         * Read the state of a document
         * @description Returns the state of the document and its indexing. The text itself is not returned.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document
         * @description Deletes the document and its passages. New answers no longer use it. With `restorable=true` it can be restored for a minute; then its passages are removed.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        /**
         * Change the title, URL or audience of a document
         * @description Changes the named fields. A new title or audience is indexed: until then answers use the document as it was. A failed new content is given up then, and the earlier text is indexed.
         */
        patch: operations["changeDocument"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the documents of a workspace
         * @description Returns the number of documents by status, their passages and bytes, and how many wait for the index since when.
         */
        get: operations["countDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/{doc_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the text of a document
         * @description Returns the text that was read from the document, as Markdown. While new content is indexed it is that of the old one; empty until a text is indexed.
         */
        get: operations["readDocumentContent"];
        /**
         * Replace the content of a document
         * @description Replaces the content by the text in `content` or the file of a form. Id, title, URL and audience stay. Answers use the old content until the new one is indexed.
         */
        put: operations["replaceDocumentContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/{doc_id}/passages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passages of a document
         * @description Returns the passages that searches find, in the order of the document.
         */
        get: operations["listDocumentPassages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/{doc_id}/reindex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Index a document again
         * @description Queues the document for indexing: a failed one from the content that was sent, another from its text as read. One that is waiting already is left alone.
         */
        post: operations["reindexDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/{doc_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted document
         * @description Takes back a deletion with `restorable=true`, within a minute.
         */
        post: operations["restoreDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a page of the web as a document
         * @description Fetches one page or file and queues it for indexing. It replaces the document with the same URL. Only public addresses are fetched, unless the installation allows private ones (ALLOW_PRIVATE_WEBHOOKS).
         */
        post: operations["addPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the demo help centre
         * @description Adds the pages of a fictional company, to try out answers. They have the origin `demo`. Pages that are there already are left alone.
         */
        post: operations["addDemoDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/documents/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change several documents
         * @description Does one thing to each of the documents and returns the outcome of each. A document that fails does not stop the others.
         */
        post: operations["changeDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/knowledge/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List texts that contradict each other or are out of date
         * @description Returns pairs of sentences, list items and table rows that name different values for the same thing, and texts that name a day that is over, latest found first. A document is compared with the others after it is indexed. Documents that no visitor sees together are not compared.
         */
        get: operations["listFactConflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/knowledge/conflicts/{conflict_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Dismiss a contradiction, or open it again
         * @description A dismissed contradiction is no longer named in answers, and stays dismissed while its texts are the same. A resolved one stays as it is.
         */
        patch: operations["changeFactConflict"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sources of a workspace, newest first
         * @description Returns the sources, each with its newest run and the number of its documents.
         */
        get: operations["listSources"];
        put?: never;
        /**
         * Add a source
         * @description Adds a website, folder or tool whose pages become documents. Runs read it in the background and keep the documents in step. Nothing is checked at the source now: the run reports what went wrong, and a preview tells it beforehand.
         */
        post: operations["createSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try out a source
         * @description Reads the list of the source and at most 50 items, for at most 15 seconds: one of each group of paths, then others. Returns what would become a document. Nothing is stored.
         */
        post: operations["previewSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a source
         * @description Returns the source with its newest run. Credentials are never returned.
         */
        get: operations["getSource"];
        put?: never;
        post?: never;
        /**
         * Delete a source
         * @description Deletes the source with its runs and credentials. Its documents stay as they are, or are deleted with `documents=delete`.
         */
        delete: operations["deleteSource"];
        options?: never;
        head?: never;
        /**
         * Change a source
         * @description Changes the named fields; `settings` and `credentials` are replaced as a whole. If that changes what is read, a run that is going ends, and another one starts unless the source is paused. Settings with a new address need the credentials again in the same request.
         */
        patch: operations["changeSource"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a source now
         * @description Starts a run in the background. With `full=true` it reads every item again, also those that say that they have not changed.
         */
        post: operations["runSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the run of a source
         * @description Ends the run that is going; documents that it has added stay.
         */
        post: operations["cancelSourceRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply what a run holds
         * @description Removes and replaces the documents that an implausible run would have removed and replaced. Nothing is read for it; a worker does it in the background.
         */
        post: operations["applySourceChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard what a run holds
         * @description Throws away the changes of an implausible run. Documents stay; the next run reads again.
         */
        post: operations["discardSourceChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a source
         * @description Ends a run that is going, and starts none until the source is resumed.
         */
        post: operations["pauseSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused source
         * @description The source follows its schedule again. A run that was missed starts within a minute.
         */
        post: operations["resumeSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a source, latest first
         * @description Returns the runs with what each has found.
         */
        get: operations["listSourceRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items of a source
         * @description Returns the pages, files or articles of the source, each with what the last reading found.
         */
        get: operations["listSourceItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the ledger of an item
         * @description Returns what was fetched of a page, what of it is in its document, why the rest was cut, when each step was done, and the latest answers that rest on it.
         */
        get: operations["getSourceLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules of a source, newest first
         * @description Returns the rules that keep or cut blocks of its pages, at most 500.
         */
        get: operations["listSourceRules"];
        put?: never;
        /**
         * Keep or cut a block of a page
         * @description Makes a rule of the source for a block that the ledger names, in place of an earlier one for it. Stored pages are cut anew in the background, without a request; only documents whose text changes are indexed again.
         */
        post: operations["createSourceRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/rules/{rule_id}": {
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
         * Remove a rule of a source
         * @description Removes a rule: its block is judged again like any other, and stored pages are cut anew.
         */
        delete: operations["deleteSourceRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Name items that have changed
         * @description Reads the named items at once, ahead of the list of a run and beside one that is going. An item that no run has found is read too if it belongs to the source; others are left out. At most 200 in a call, and 30 calls a minute. A run of changes is held by the same rules as a whole one, counted over a day.
         */
        post: operations["nameSourceChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the webhook of a source
         * @description Returns the address at which the tool of the source tells of changes, and whether it does. The secret is never returned.
         */
        get: operations["getSourceWebhook"];
        /**
         * Set up the webhook of a source
         * @description Sets the webhook up anew; an earlier secret is not believed any more. For GitHub, the answer has the secret to enter there, once. For Zendesk, send the signing secret of the webhook that you made there for the address. For Notion, the tool sends its token within the hour.
         */
        put: operations["setUpSourceWebhook"];
        post?: never;
        /**
         * Remove the webhook of a source
         * @description Calls of the tool are not believed any more. Remove the webhook in the tool too.
         */
        delete: operations["removeSourceWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sources/{source_id}/webhook/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the secret that a tool has sent, once
         * @description Returns the token that Notion has sent to the address, to enter it there. It is shown once.
         */
        post: operations["showSourceWebhookSecret"];
        delete?: never;
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
         * Search the documents of a workspace as an answer would
         * @description Returns the passages that an answer to this question would use, best first, with the parts of their scores, even if they are not sufficient for an answer. Nothing is stored, and the request does not count as a message.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whom and what a question on trial can be asked as
         * @description Returns the values that `rehearseAnswer` takes here.
         */
        get: operations["getRehearsalChoices"];
        put?: never;
        /**
         * Ask a question on trial
         * @description Answers a question as the engine would answer a visitor, with everything that explains the answer. Nothing is stored, counted, sent or fired: skills do not run. With `model`, another model answers; `none` quotes the documents.
         */
        post: operations["rehearseAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/test-questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the test questions of a workspace, newest first
         * @description Returns the questions with how the newest run judged their answers, in pages.
         */
        get: operations["listTestQuestions"];
        put?: never;
        /**
         * Store test questions
         * @description Stores questions whose right answers are known. A question that is there for the same audience gets the new expectation. All are stored, or none.
         */
        post: operations["storeTestQuestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/test-questions/{question_id}": {
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
         * Delete a test question
         * @description Deletes the question with its results.
         */
        delete: operations["deleteTestQuestion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/test-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of the test questions, newest first
         * @description Returns the runs in pages. The counts of a run that is going grow.
         */
        get: operations["listTestRuns"];
        put?: never;
        /**
         * Ask all test questions
         * @description Asks the test questions of the workspace in the background, on trial: nothing is counted, sent or fired. Every night, a run starts by itself.
         */
        post: operations["startTestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/test-runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a run of the test questions
         * @description Returns the run with its results: first those that differ from the run before.
         */
        get: operations["getTestRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/test-runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run of the test questions
         * @description Ends a run that is going. One that has ended stays as it is.
         */
        post: operations["cancelTestRun"];
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
         * Fetch a file of a message
         * @description Fetches the file from the channel's platform at the time of the request. Only files of agents, widgets and hosted pages are stored in this installation. Every file is served as a download, whatever its type.
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
         * List the changes of a conversation, newest first
         * @description Returns every change of the conversation with its author and time. The entries are kept after the conversation is deleted.
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
         * Reply to a visitor as an agent, in the visitor's channel
         * @description Stores the reply and sends it through the channel of the conversation. The first reply assigns the conversation to the agent: the engine no longer answers in it until the conversation is resolved or reopened. With an `Idempotency-Key`, a retry sends nothing again. `delivery` shows the state of the sending.
         */
        post: operations["replyAsAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files that the caller has uploaded in a conversation and not sent
         * @description Returns the oldest first. Files that are not sent within a day are deleted.
         */
        get: operations["listReplyFiles"];
        put?: never;
        /**
         * Upload a file for a reply
         * @description Stores a file of at most 10 MB. The caller sends it by naming its id in `file_ids` of a reply: at most 5 files, 25 MB together. On channels of platforms, PUBLIC_URL must be set.
         */
        post: operations["uploadReplyFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/files/{file_id}": {
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
         * Delete an uploaded file that was not sent
         * @description Only the person who uploaded the file can delete it. A sent file ends with its conversation.
         */
        delete: operations["deleteReplyFile"];
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
         * End the sessions of a conversation's visitor on all devices
         * @description Ends all sessions of this visitor in the widget and on the hosted page. The messages are kept, but these sessions can no longer read them. A visitor who proves their identity can start a new session and sees them again.
         */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the inbox shows beside the messages of a conversation
         * @description Returns the customer, the clocks of the SLA, the summary, the drafts of the caller and earlier conversations.
         */
        get: operations["openConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a conversation as an agent
         * @description Changes only the fields that are sent. Each change is written to the audit log and sent to webhooks that subscribe to it. The status `snoozed` requires `snooze_until`.
         */
        patch: operations["changeConversation"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages, notes and changes of a conversation, newest first
         * @description Returns what happened in the conversation. Answers and replies have the delivery of each of their parts.
         */
        get: operations["readTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store what the caller has read of a conversation
         * @description The mark only moves forward, so that an old tab unmarks nothing, unless `back` is true: then later messages are unread again.
         */
        put: operations["markSeen"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a note that visitors never see
         * @description Adds a note by the caller and deletes the draft that it was.
         */
        post: operations["writeNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/notes/{note_id}": {
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
         * Delete one of the caller's own notes
         * @description The audit log keeps that there was one.
         */
        delete: operations["deleteNote"];
        options?: never;
        head?: never;
        /**
         * Change one of the caller's own notes
         * @description Replaces the text and the mentions.
         */
        patch: operations["changeNote"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/suggestion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suggest a reply from the documents
         * @description Answers what the visitor has asked last, since the last reply of a person, as the engine would, but without skills. Nothing is stored, sent or counted. Without a language model the suggestion quotes the documents. `text` is null if they contain no answer. If the visitor was told the answer already, it is returned with `told`.
         */
        post: operations["suggestReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store the caller's draft in a conversation
         * @description Each person has one draft of a reply and one of a note in each conversation. Sending it deletes it. If another device of the caller has saved a newer version than `base_updated_at`, the answer is `draft_moved_on` with that draft: the sent text is kept beside it, as `other`. A save that arrives after its text was sent stores nothing, and the answer is 204.
         */
        put: operations["saveDraft"];
        post?: never;
        /**
         * Delete the caller's drafts in a conversation
         * @description Does nothing if there is none. With `base_updated_at`, the text of another device takes the place of the deleted one.
         */
        delete: operations["deleteDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations as the inbox shows them
         * @description Returns the conversations of a view that match all given filters. A conversation with a new message moves to the front of the list, also while pages are read.
         */
        get: operations["listInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversation-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the conversations of all views
         * @description Returns the number of conversations in each view that every inbox has, and in each saved view by its id. Counting ends at 1,000, for `unread` and saved views at 100: these numbers mean as many or more.
         */
        get: operations["countInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's saved views and the shared ones
         * @description Returns at most 100 views in their order.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save filters of the inbox as a view
         * @description Saves a view for the caller, or for everybody. Views of the operator are always shared.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/views/{view_id}": {
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
         * Delete a saved view
         * @description Deletes the view. A shared one disappears for everybody.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a saved view
         * @description Changes only the fields that are sent. `filters` replaces all filters.
         */
        patch: operations["updateView"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people who answer in a workspace
         * @description Returns everybody who may reply, by name: those that a conversation can be assigned to.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch whether conversations are assigned to the caller
         * @description Returns all agents with the change.
         */
        put: operations["setAvailability"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversation-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many conversations in the background
         * @description Changes the conversations with the given `ids`, or all that match `filters` at this moment. Returns at once; `getConversationAction` shows the progress. Deleting needs the permission `inbox:delete`.
         */
        post: operations["changeConversations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversation-actions/{action_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far a bulk action is
         * @description Actions are kept for a day.
         */
        get: operations["getConversationAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversation-actions/{action_id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a bulk action
         * @description Conversations that were changed until then stay changed. Does nothing to a finished action.
         */
        post: operations["abortConversationAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversation-actions/{action_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a bulk action back
         * @description Possible while it runs and until ten seconds after its end. Conversations that somebody has changed since stay as they are. A deletion can be undone until it starts.
         */
        post: operations["undoConversationAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/mentions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes that name the caller
         * @description Returns the latest 30, newest first.
         */
        get: operations["listMentions"];
        /**
         * Mark notes that name the caller as read
         * @description Marks those of one conversation, or all.
         */
        put: operations["readMentions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/reply-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a reply as the channel will show it
         * @description Renders the reply as it would be sent, split into the messages that the platform takes. Nothing is stored or sent. If the reply window has closed, returns the template of the channel.
         */
        post: operations["previewReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/messages/{message_id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain an answer
         * @description Returns how the message was understood, which passages were found, what was decided and why, and what the confidence rests on. Null for canned replies, and after the visitor edited or deleted an earlier message.
         */
        get: operations["explainAnswer"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Export all data of a person in a workspace
         * @description Looks the person up by exactly one of `email`, `phone` and `user_id`. Returns their conversations with messages, notes and audit log, their visitor records and files, stored webhook deliveries and stored responses. Fetch the contents of the files as attachments of the messages. The lists are empty if the workspace has no data of the person.
         */
        get: operations["exportPerson"];
        put?: never;
        post?: never;
        /**
         * Erase all data of a person in a workspace
         * @description Looks the person up by exactly one of `email`, `phone` and `user_id`, and permanently deletes everything that the export returns. Entries of audit logs are kept: they contain names of fields and no values. Opted-out phone numbers stay on the opt-out list of their channel. The receipt, which contains only counts, is kept in the audit log of the workspace. A second call returns zeros.
         */
        delete: operations["erasePerson"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a workspace
         * @description Returns the people who may work on the workspaces of its owner, the first ones first.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/members/{member_id}": {
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
         * Remove a member
         * @description Takes the person out of the workspaces of this owner and ends their sessions.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Changes the role, and which workspaces of the owner the person may see.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/members/{member_id}/recovery-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link for a new password
         * @description Returns a link with which the member sets a new password within a day. Their second factor is removed, and their sessions end, when they use it. It is refused for yourself, and for somebody with rights outside of this owner.
         */
        post: operations["createRecoveryLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invitations, newest first
         * @description Returns the invitations that nobody has accepted yet, without their links.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person
         * @description Creates a link that works once within seven days and makes the address a member. It is mailed where SMTP_URL is set or the workspace has an e-mail channel. A new invitation of the same address replaces the last one.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/invitations/{invitation_id}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail an invitation again
         * @description Makes a new link for the invitation, good for another seven days, and mails it. The old link stops working. An invitation is mailed five times at most.
         */
        post: operations["mailInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/invitations/{invitation_id}": {
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
         * Revoke an invitation
         * @description Revokes an invitation that nobody has accepted. Its link stops working at once.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the sign-in at a provider
         * @description Returns the identity provider (OpenID Connect) of the workspace's owner, without its secret, and the addresses that belong to it.
         */
        get: operations["getSignIn"];
        /**
         * Set up the sign-in at a provider
         * @description Another issuer, client or secret must be tested again, and is not required until then. Disabling the provider ends the sessions that began there.
         */
        put: operations["saveSignIn"];
        post?: never;
        /**
         * Remove the sign-in at a provider
         * @description Ends the sessions that began there. The members stay, and can get a link for a password.
         */
        delete: operations["removeSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sign-in/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the sign-in at a provider
         * @description Returns an address of the provider. Open it in the browser that got this answer, and sign in: the way back ends on the settings, where `tested_at` or `test_fault` has the result. It starts no session.
         */
        post: operations["testSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/sign-in/domains/{domain}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the proof of a domain
         * @description Looks for the TXT record of a domain of the provider. `fault` says why there is no proof. DNS servers may take an hour to show a new record. A verified domain stays verified until it is removed from the provider.
         */
        post: operations["checkSignInDomain"];
        delete?: never;
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
         * List the changes of a workspace, newest first
         * @description Includes the sign-ins of members and the receipts of erased persons. Changes of conversations are included with `conversations=true`; each conversation also has an audit log of its own.
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
    "/admin/v1/workspaces/{workspace_id}/audit-log.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the changes of a workspace as CSV
         * @description Returns all entries that fit the filters, newest first, with the columns at, actor, actor_id, action, conversation_id, details and id.
         */
        get: operations["exportWorkspaceAuditLog"];
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
         * @description Subscribes a URL to events of the workspace. Events are signed as in Standard Webhooks. The response contains the signing secret, which is not shown again. An event arrives at least once and is retried for a day.
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
         * Delete a webhook and its pending deliveries
         * @description Deletes the webhook together with its deliveries. With `restorable=true` it can be restored for a minute.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Enable or disable a webhook
         * @description Enables or disables the webhook. While it is disabled, no events are stored for it.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted webhook
         * @description Takes back a deletion with `restorable=true`, within a minute: the same id, secrets and deliveries. Events of the meantime are not delivered.
         */
        post: operations["restoreWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * List the pending and recent deliveries of a webhook, newest first
         * @description Returns the pending deliveries and those of the last week, each with its attempts and the receiver's last response.
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
         * Send a delivery again
         * @description Sends the delivery again immediately, with the same id, even if it was already delivered.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/webhooks/{hook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Sends the event `webhook.test`, whatever the webhook subscribes to. The deliveries show what the receiver answers.
         */
        post: operations["testWebhook"];
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
         * @description Adds an HTTP function of yours that the language model can call while it answers. Calls are signed. The response contains the signing secret, which is not shown again. A workspace has at most 20 skills.
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
         * @description Deletes the skill. It is no longer called. With `restorable=true` it can be restored for a minute.
         */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /**
         * Change an HTTP skill, or enable or disable it
         * @description Changes only the fields that are sent. The name and the secret cannot be changed here.
         */
        patch: operations["updateSkill"];
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/skills/{skill_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted HTTP skill
         * @description Takes back a deletion with `restorable=true`, within a minute: the same id and secret.
         */
        post: operations["restoreSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * Call an HTTP skill once and return its result, even if it is disabled
         * @description Calls the URL of the skill with these arguments and returns the outcome. Nothing is stored in a conversation.
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
         * @description Checks the credentials with the platform and connects the channel. If the platform needs a webhook, the response contains the `webhook_url` to enter there. Credentials are encrypted and never returned. `settings.verify: false` skips the check.
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
         * @description Removes the channel with its stored credentials and stops receiving from it. Its conversations are kept.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel, or enable or disable it
         * @description Merges `credentials` and `settings` into the existing ones, where null clears a field, and checks them with the platform again. A new `settings.api_base_url` needs the credentials again in the same request. With `enabled: false`, requests from the platform are rejected.
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
         * Create a link that installs the app of a channel in a team, for this workspace
         * @description Creates a link that the administrator of a team opens to install the app of this channel for this workspace. The link can be used once, within an hour. The new channel has `chan_id` as its parent: a channel of the same owner, or one that another owner lends. The operator token may name any, and so lends it.
         */
        post: operations["createInstallLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channel-states": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how the channels of a workspace are doing
         * @description Returns the state of each channel, how many of its checks are green, what waits, and the questions of the last 24 hours. At most the newest 100 channels.
         */
        get: operations["listChannelStates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what proves that a channel works
         * @description Returns the checks of a channel with their evidence. It asks the platform nothing.
         */
        get: operations["getChannelChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a channel again
         * @description Asks the platform again whether it accepts the credentials, registers the webhook anew, and returns the checks. A refusal stands in the check, in the words of the platform.
         */
        post: operations["checkChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last deliveries of a channel
         * @description Returns the last 50 events and parts of answers, latest first, without their contents. Events are kept for two days.
         */
        get: operations["listChannelDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what failed in a channel
         * @description Returns at most 50 unanswered messages and 50 unsent parts, latest first, each with its reason.
         */
        get: operations["listChannelFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry what failed in a channel
         * @description Queues unanswered messages and unsent parts again. Parts that the platform rejected permanently stay.
         */
        post: operations["retryChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/channels/{chan_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview changed settings of a widget or hosted page
         * @description Checks changed settings as `updateChannel` does, and stores nothing. Returns the addresses of two pages that show them, for frames of the dashboard: they need a session, store and count nothing and ask no model. With `page`, also answers whether that page may show the widget.
         */
        post: operations["previewChannel"];
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
         * @description Hashes and verification tokens that were made with either secret are accepted until the grace period ends.
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
         * @description The token opens the first widget of the workspace; a widget's own token does not change. Sessions continue.
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
         * @description Deliveries are signed with both secrets until the grace period ends.
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
         * @description Calls are signed with both secrets until the grace period ends.
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
         * @description Id, name, limits, counters and expiry do not change. Requests with either value share the limits until the grace period ends.
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
         * @description Both tokens open the widget until the grace period ends. Sessions continue.
         */
        post: operations["rotateChannelToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream what changes in a workspace
         * @description Names what changed as server-sent events, without contents, and only what the caller may read. The stream ends if the client disconnects, the session ends or the server stops. Reconnect then, and read again what is shown.
         */
        get: operations["hearWorkspaceEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/workspaces/{workspace_id}/conversations/{conv_id}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Tell that you have a conversation open
         * @description Shows the other agents that you look at the conversation or write in it. Repeat it every 20 seconds; it is forgotten after 45. While you write, the visitor sees so where their channel can show it. `left` ends it.
         */
        put: operations["setPresence"];
        post?: never;
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
         * Add a document from a file, or replace the one with the same URL or file name
         * @description Adds a document from a file of at most 25 MB (PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV) and queues it for indexing. It replaces a document with the same `url` or file name. The response is 202 immediately, or with `wait=true` 200 after indexing has succeeded or failed. A file that cannot be read gets the status `failed`, with the reason.
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
         * Get the appearance of the widget
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
         * Start a session of a visitor
         * @description Starts a session that is anonymous or belongs to a visitor with a verified identity, as in a query. A verified visitor sees their history on every device. With `previous_session`, the conversations of that session move to the new one, and the old session ends.
         */
        post: operations["openSession"];
        /**
         * End a session of a visitor
         * @description Ends the session immediately. The messages are kept.
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
         * Send a message as a visitor and stream the answer
         * @description Sends the visitor's message and streams the answer in the frames of `POST /v1/query/stream`. While an agent handles the conversation, the message is stored for the agent and the only frame says so. The answer is completed and stored even if the connection is lost.
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
         * Request an agent
         * @description Escalates the conversation to an agent and streams the confirmation in the frames of `askAsVisitor`.
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
         * Store an email address for an agent's reply
         * @description Stores the email address at which the visitor wants the agent's reply. Nothing changes for a visitor with a verified identity, because the site confirms their address.
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
         * Upload a file for a message
         * @description Stores a file that a message can refer to in `files`. Its type is determined from its content. A file that no message refers to is deleted after a day.
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
         * List the messages of a visitor
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
         * Stream replies of agents and changes of status
         * @description Sends replies of agents and changes of status as server-sent events. The stream ends if the client disconnects, the session ends or the server stops. Reconnect then, and list the messages to find those that were missed.
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
         * Rate an answer as a visitor
         * @description Stores the visitor's rating of an answer in their own conversation. The latest rating counts.
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
         * Mark all messages as seen
         * @description Marks all messages so far as seen, so that none of them is sent by email later.
         */
        post: operations["readAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/typing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell that the visitor writes
         * @description Shows the agents for six seconds that the visitor writes, if a person has the conversation or was asked for. Send it at most every four seconds.
         */
        post: operations["typeAsVisitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/widget/{public_token}/rating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rate a conversation as a visitor
         * @description Stores the rating of the latest conversation, if a person resolved it. The last rating counts. Webhooks receive `conversation.rated`.
         */
        post: operations["rateAsVisitor"];
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
         * Delete an uploaded file that was not sent
         * @description Deletes a file that no message refers to yet.
         */
        delete: operations["takeFileBack"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{token}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch a file that an agent sent
         * @description The link in the `url` of an attachment. Its token is the only credential; the name is not checked. Pictures are shown, other files are downloads.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AgentFile: {
            id: string;
            /** @description Without a path and control characters. */
            name: string;
            /** @description Detected from the bytes. */
            content_type: string;
            byte_count: number;
            /** @description Whoever has this link can read the file without signing in. A path if PUBLIC_URL is not set. */
            url: string;
        };
        AgentReply: {
            id: string;
            /** @constant */
            role: "agent";
            content: string;
            author: string;
            /** Format: date-time */
            created_at: string;
            attachments?: {
                /** @enum {string} */
                kind: "image" | "audio" | "video" | "file" | "other";
                name: string | null;
                content_type: string | null;
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
        /** @description An agent writes. It holds for eight seconds, or until their message comes. */
        AgentTypingFrame: {
            /** @constant */
            event: "typing";
            name: string;
        };
        /** @description Every ten seconds. */
        AliveFrame: {
            /** @constant */
            event: "alive";
            /** @description Seconds since the server last proved that changes reach it, which it does every ten seconds. If it is above 15 or null, changes may come late: list again. */
            news_age_seconds: number | null;
        };
        AnswerCorrection: {
            in_use: {
                /** @description Multiplies the log-odds of a probability. */
                slope: number;
                /** @description Is added to them. */
                offset: number;
                /** @description The number of judged answers that it rests on. */
                judged: number;
                /** Format: date-time */
                since: string;
            } | null;
            offer: {
                /** @description Multiplies the log-odds of a probability. */
                slope: number;
                /** @description Is added to them. */
                offset: number;
                /** @description The number of judged answers that it rests on. */
                judged: number;
                /** @description The mean probability with which these answers are shown now. */
                before: number;
                /** @description Their mean probability with the correction, each fitted without the answer itself. */
                after: number;
                /** @description The share of them that helped. */
                helped: number;
                log_loss_before: number;
                /** @description Of answers held out. */
                log_loss_after: number;
                bins: {
                    from: number;
                    to: number;
                    answers: number;
                    /** @description Null without answers, as are `after` and `helped`. */
                    before: number | null;
                    after: number | null;
                    helped: number | null;
                }[];
                /**
                 * Format: date-time
                 * @description Names the offer when it is used or declined.
                 */
                offered_at: string;
                /** @description The answers of the last 30 days that have a probability. */
                answers: number;
                /** @description How many of them would present themselves differently, most first. */
                moves: {
                    /** @enum {string} */
                    from: "answer" | "maybe" | "none";
                    /** @enum {string} */
                    to: "answer" | "maybe" | "none";
                    answers: number;
                }[];
            } | null;
        };
        AnswerDecision: {
            decision: {
                /** @enum {string} */
                understood: "skill" | "small talk" | "questions";
                questions: {
                    asked: string;
                    searched: string;
                    score: number;
                }[];
                passages: {
                    document_id: string;
                    chunk_id: string;
                    title: string;
                    score: number;
                    read?: boolean;
                }[];
                evidence?: {
                    fused: number;
                    meaning: number;
                    lead: number;
                };
                correction?: {
                    slope: number;
                    offset: number;
                    probability: number | null;
                };
                /** @enum {string} */
                act: "reply" | "quote" | "suggest" | "generate" | "choose skills" | "fall back";
                because: string;
                /** @enum {string} */
                confidence: "high" | "medium" | "low";
                concluded: string;
            } | null;
        };
        AuditEntry: {
            id: string;
            /** @description For example status_changed, tags_changed, note_added, deleted, person_erased or secret_rotated. */
            action: string;
            /** @description The name of the person or API key, or visitor, operator, snooze or retention. */
            actor: string;
            /** @description The id of the person, which stays when they change their name. Null for API keys, processes and the operator's token. */
            actor_id: string | null;
            /** Format: date-time */
            at: string;
            /** @description The change: `from` and `to`, or `fields` with the names of the changed fields. Never contains personal data. */
            details: {
                [key: string]: unknown;
            };
        };
        ChangeFrame: {
            /** @enum {string} */
            event: "conversation" | "document" | "channel" | "webhook";
            id: string;
            /** @description What changed, or the new status. */
            change: string;
        };
        Channel: {
            id: string;
            workspace_id: string;
            /** @description The kind of the channel, such as telegram. */
            channel: string;
            name: string;
            /**
             * @description connecting: the channel is stored and has not been confirmed to work yet. stale: a channel that this server polls or listens to has been silent for two minutes (Discord: 90 seconds), or a platform that posts webhooks has been silent for unusually long.
             * @enum {string}
             */
            status: "connecting" | "connected" | "error" | "stale";
            /** @description A current or upcoming problem, in the platform's words. */
            last_error: string | null;
            /** @description When the platform last sent something, accurate to ten seconds. */
            heard_at: string | null;
            enabled: boolean;
            settings: {
                [key: string]: unknown;
            };
            /** @description The platform's description of the account. */
            profile: {
                [key: string]: unknown;
            };
            /** @description The URL that the platform posts to. Null if it does not post, or if PUBLIC_URL is not set. */
            webhook_url: string | null;
            /** @description The channel whose app this one shares. Null if it has its own app, and for people if the app is lent by another owner. */
            parent: string | null;
            /** @description Channels with a parent only: the customer on the platform that the channel belongs to, such as a team. */
            tenant: string | null;
            /** @description The owners whose channels may share the app of this one, by installation links. `*` stands for every owner. They never get its tokens. Only for kinds with tenancy. */
            shareable_with: string[];
            /** @description How customers know the account, such as @help_bot, a number or an address. Null if nothing says so. */
            handle: string | null;
            /** @description A page where a person can write to the account at once. Null if there is none. */
            chat_url: string | null;
            /** @description The token that opens this widget and gives access to nothing else. Null for other kinds. */
            public_token: string | null;
            /** @description The HTML to paste into the pages that show this widget. Null for other kinds. */
            script_tag: string | null;
            /** @description A page of this server that shows this widget, for testing. Null for other kinds. */
            test_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ChannelCheck: {
            /**
             * @description credentials: the platform accepted them. connection: the platform reached this installation, or Parley is connected to it. signature: a request had the right signature. message: a visitor wrote. answer: an answer was sent.
             * @enum {string}
             */
            id: "credentials" | "connection" | "signature" | "message" | "answer";
            /**
             * @description blocked: not possible until PUBLIC_URL is set.
             * @enum {string}
             */
            state: "done" | "waiting" | "failed" | "blocked";
            /** @description When it was seen, or when it failed. */
            at: string | null;
            /** @description Why it failed, in the platform's words. */
            detail: string | null;
        };
        ChannelChecks: {
            channel: components["schemas"]["Channel"];
            /**
             * @description refused: the platform refuses it, see last_error. stale: silent for too long. unproven: a check is not green yet. off: disabled.
             * @enum {string}
             */
            state: "refused" | "stale" | "unproven" | "live" | "off";
            /** @description In the order in which they happen. */
            checks: components["schemas"]["ChannelCheck"][];
            /** @description group_privacy: in groups the bot receives commands, mentions and replies only, until its privacy mode is switched off on the platform. */
            notes: "group_privacy"[];
            /** @description Parts of answers that wait to be sent. */
            waiting_parts: number;
            failures: number;
            /** @description The set-up steps with the address of this channel. */
            guide: components["schemas"]["ChannelGuide"];
        };
        ChannelDelivery: {
            /**
             * @description in: an event of a visitor. out: a part of an answer.
             * @enum {string}
             */
            direction: "in" | "out";
            /**
             * @description handled: an event that needs no answer.
             * @enum {string}
             */
            outcome: "waiting" | "answered" | "handled" | "sent" | "delivered" | "read" | "held" | "withheld" | "failed";
            reason: string | null;
            attempts: number;
            /** Format: date-time */
            at: string;
            /** @description Until it was answered or sent. Null while it waits. */
            ms: number | null;
        };
        ChannelFailure: {
            id: string;
            /**
             * @description answer: a message without an answer. deliver: a part that was not sent.
             * @enum {string}
             */
            queue: "answer" | "deliver";
            conversation_id: string | null;
            reason: string | null;
            attempts: number;
            /** @description false if the platform rejected the message permanently. */
            retriable: boolean;
            /** Format: date-time */
            at: string;
        };
        ChannelGuide: {
            steps: {
                /**
                 * @description before: on the platform, before the channel is added. add: adds it in a terminal. after: needs the address of the channel.
                 * @enum {string}
                 */
                phase: "before" | "add" | "after";
                blocks: components["schemas"]["GuideBlock"][];
                /** @description The values to paste on the platform that the step names. */
                values: {
                    name: string;
                    value: string;
                }[];
            }[];
            notes: components["schemas"]["GuideBlock"][];
            troubles: {
                symptom: {
                    text: string;
                    /** @enum {string} */
                    style: "plain" | "strong" | "code";
                    href: string | null;
                }[];
                remedy: {
                    text: string;
                    /** @enum {string} */
                    style: "plain" | "strong" | "code";
                    href: string | null;
                }[];
            }[];
        };
        ChannelKind: {
            /** @description The value of `channel` when one is added. `api` is not added: it has keys. */
            kind: string;
            /** @description What people use it for, by language. */
            summary: {
                en: string;
                de: string;
            };
            /**
             * @description Its symbol in the dashboard.
             * @enum {string}
             */
            symbol: "braces" | "hash" | "mail" | "message-circle" | "message-circle-more" | "message-square-more" | "message-square-text" | "messages-square" | "panel-top" | "phone" | "send";
            /** @description The colour of the symbol on light and on dark ground. Null: that of the text. */
            colour: {
                light: string;
                dark: string;
            } | null;
            /** @description The JSON schema of the credentials. Fields with the format `password` are secret. */
            credentials: {
                [key: string]: unknown;
            };
            /** @description The JSON schema of the settings. */
            settings: {
                [key: string]: unknown;
            };
            /** @description How messages can come. None for channels that visitors reach directly. */
            intakes: ("webhook" | "listener")[];
            /**
             * @description Whether the platform has to reach this installation. optional: without PUBLIC_URL, Parley holds a connection instead.
             * @enum {string}
             */
            public_url: "required" | "optional" | "unused";
            /** @description What the channel can do. own_chat: visitors use a chat of this installation, which has a look and sessions. */
            facets: ("streaming" | "typing" | "welcome" | "files" | "window" | "inbox" | "tenancy" | "install_links" | "own_chat")[];
            guide: components["schemas"]["ChannelGuide"];
        };
        ChannelPreview: {
            /** @description The addresses of the preview as each kind of chat, the own kind first. */
            frames: {
                /** @enum {string} */
                kind: "widget" | "hosted";
                address: string;
            }[];
            languages: string[];
            /** @description Null without `page`. */
            embedding: {
                origin: string;
                allowed: boolean;
                /**
                 * @description own: a page of this installation. local: no domain is named, and the page is on the local machine. listed: `entry` covers it. not_listed: no entry covers it. none_listed: no domain is named. no_page: this is no address of a web page.
                 * @enum {string}
                 */
                reason: "own" | "local" | "listed" | "not_listed" | "none_listed" | "no_page";
                entry: string | null;
                /**
                 * @description Where the list of domains is.
                 * @enum {string}
                 */
                list: "channel" | "workspace";
            } | null;
        };
        ChannelState: {
            channel_id: string;
            /**
             * @description refused: the platform refuses it, see last_error. stale: silent for too long. unproven: a check is not green yet. off: disabled.
             * @enum {string}
             */
            state: "refused" | "stale" | "unproven" | "live" | "off";
            checks_done: number;
            checks_total: number;
            waiting_parts: number;
            failures: number;
            questions: number;
            replies: number;
            /** @description Replies without those of low confidence. */
            answered: number;
        };
        /** @description A sentence of the answer and the passages that it rests on. `start` and `end` are offsets into the text of the answer in UTF-16 code units, as in `text.slice(start, end)` of JavaScript. */
        Citation: {
            start: number;
            end: number;
            /** @description The `chunk_id` of each passage; all are in `sources`. */
            chunk_ids: string[];
        };
        Conversation: {
            id: string;
            workspace_id: string;
            /** @enum {string} */
            channel: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            /** @description The channel that the conversation came through. Null for the API, and if the widget or page was removed. */
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
             * @description Resolved conversations only.
             */
            resolved_at?: string;
            /** @description When a snoozed conversation opens again. */
            snooze_until: string | null;
            message_count: number;
            /** @description All fields are null for an anonymous visitor. */
            customer: {
                email: string | null;
                /** @description True if the address comes from a verification_token or the channel's platform confirms it. False if it is only claimed, also with user.hash. Null if there is no address. */
                email_verified: boolean | null;
                name: string | null;
                phone: string | null;
            };
            tags: string[];
            /** @enum {string} */
            sla_state: "in_compliance" | "at_risk" | "breached";
        };
        ConversationAction: {
            id: string;
            /**
             * @description waiting: a deletion can still be undone. aborted: what was changed until then stays. undoing, undone: it is or was taken back.
             * @enum {string}
             */
            status: "waiting" | "running" | "aborted" | "done" | "undoing" | "undone";
            actor: string;
            change: {
                /** @enum {string} */
                status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
                /** Format: date-time */
                snooze_until?: string;
                assignee_id?: string | null;
                /** @enum {string} */
                priority?: "low" | "normal" | "high" | "urgent";
                add_tags?: string[];
                remove_tags?: string[];
                /**
                 * @description Deletes the conversations with their messages. Starts after ten seconds, until which it can be undone.
                 * @constant
                 */
                delete?: true;
            };
            /** @description The conversations that matched when the action was started. */
            total: number;
            /** @description Those that were handled so far. */
            done: number;
            /** @description Those of them that were changed. */
            changed: number;
            undone: number;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            undo_until: string | null;
        };
        ConversationRating: {
            /** @description 1 to 5. Null while the visitor has not answered. */
            score: number | null;
            comment: string | null;
            /**
             * Format: date-time
             * @description When the conversation was resolved.
             */
            asked_at: string;
            rated_at: string | null;
            /** @description The name of the person who resolved it. */
            resolved_by: string | null;
        };
        /** @description Messages, notes and changes are sorted with the oldest first. */
        ConversationView: {
            id: string;
            workspace_id: string;
            /** @enum {string} */
            channel: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            /** @description The channel that the conversation came through. Null for the API, and if the widget or page was removed. */
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
             * @description Resolved conversations only.
             */
            resolved_at?: string;
            /** @description When a snoozed conversation opens again. */
            snooze_until: string | null;
            message_count: number;
            /** @description All fields are null for an anonymous visitor. */
            customer: {
                email: string | null;
                /** @description True if the address comes from a verification_token or the channel's platform confirms it. False if it is only claimed, also with user.hash. Null if there is no address. */
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
            /** @description The platform's reply window, after which no reply is possible until the visitor writes again. Null if the platform has none. */
            reply_window: {
                open: boolean;
                /** @description Null if the visitor has never written. */
                closes_at: string | null;
            } | null;
        };
        /** @description The numbers of conversations changed. At most one a second. */
        CountsFrame: {
            /** @constant */
            event: "counts";
        };
        Delivery: {
            /** @description Also sent as webhook-id, the same on every attempt. */
            id: string;
            webhook_id: string;
            event: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            next_attempt_at: string | null;
            /** @description The HTTP status of the receiver's last response. */
            last_status: number | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
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
            /** @description The indexed share in per cent. */
            progress: number;
            /** @description Why indexing failed, and what to do. */
            failure: {
                code: string;
                reason: string;
            } | null;
            /** @description Where it came from; null if that was not stored. */
            origin: ("file" | "text" | "page" | "demo" | "source") | null;
            /** @description The source that keeps it in step; null if none does. */
            source_id: string | null;
            /** @description Whether answers use an indexed text of it. */
            answering: boolean;
            bytes: number;
            chunks: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            indexed_at: string | null;
        };
        DomainProof: {
            domain: string;
            /**
             * @description The provider is offered to addresses at verified domains only, and nobody new joins from others.
             * @enum {string}
             */
            state: "pending" | "verified";
            /** @description The name of the TXT record to add to the domain. */
            record_name: string;
            record_value: string;
            /** Format: date-time */
            claimed_at: string;
            claimed_by: string;
            verified_at: string | null;
            verified_by: string | null;
            checked_at: string | null;
            /** @description Why the last check found no proof: no record, one with another value, or no answer of the DNS servers. */
            fault: ("no_record" | "other_record" | "unreachable") | null;
        };
        /** @description One of the caller's own drafts changed, on any device. */
        DraftFrame: {
            /** @constant */
            event: "draft";
            /** @description The conversation. */
            id: string;
            /** @enum {string} */
            change: "new" | "changed" | "gone";
        };
        ErasureReceipt: {
            /** @description The id of the entry in the audit log of the workspace. */
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
                /** @description Stored responses of idempotent requests. */
                replays: number;
                /** @description Stored webhook deliveries. */
                deliveries: number;
                /** @description Threads on platforms, with their addresses. */
                threads: number;
            };
        };
        Error: {
            /** @description A description of the problem, for people. */
            detail: string;
            /** @description The stable code of the problem, for programs. */
            code: string;
            /** @description Also in the header X-Request-Id. */
            request_id: string;
            /** @description conversation_moved_on only: the messages that were not seen, oldest first. */
            new_messages?: {
                id: string;
                /** @enum {string} */
                role: "user" | "assistant" | "agent";
                content: string;
                author: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description draft_moved_on only: the stored draft. */
            draft?: components["schemas"]["InboxDraft"];
        };
        /** @description The last frame of an answer that failed. */
        ErrorFrame: {
            /** @description A description of the problem, for people. */
            error: string;
            /** @constant */
            done: true;
            /**
             * @description The code of the problem, for programs.
             * @enum {string}
             */
            code: "conversation_not_found" | "internal_error" | "model_provider_error" | "upstream_timeout" | "provider_down" | "deploying" | "request_timeout";
            /** @description Also in the header X-Request-Id. */
            request_id: string;
        };
        FactConflict: {
            id: string;
            /**
             * @description What the texts disagree on; `past` is one text that names a day that is over.
             * @enum {string}
             */
            kind: "number" | "date" | "time" | "duration" | "percent" | "yes-no" | "past";
            /**
             * @description `resolved` once one of the texts has changed.
             * @enum {string}
             */
            status: "open" | "dismissed" | "resolved";
            /** Format: date-time */
            found_at: string;
            /** @description The two texts; one for `past`. */
            statements: {
                document_id: string;
                title: string;
                url: string | null;
                /**
                 * Format: date-time
                 * @description When the document last changed.
                 */
                changed_at: string;
                /** @description The sentence, list item or table row. */
                text: string;
                /** @description Its value in a form in which equal values are equal. */
                value: string;
                /** @description The value as the text has it; empty if no part of the text is it. */
                mark: string;
            }[];
        };
        /** @description The last frame of an answer that is complete and stored. */
        FinalFrame: {
            sources: components["schemas"]["Source"][];
            /** @description Which sentence rests on which passage, in order. Empty for small talk and the fallback message. */
            citations: components["schemas"]["Citation"][];
            conversation_id: string;
            message_id: string;
            /** @description The same as message_id. */
            query_id: string;
            tokens_used: number;
            skills_fired: string[];
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
            ai_generated: boolean;
            /** @description Whether the text is quoted from documents. */
            quoted: boolean;
            /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
            lead: string | null;
            /** @constant */
            token: "";
            /** @constant */
            done: true;
        };
        Finding: {
            /**
             * @example database
             * @example model openai:gpt-4o-mini
             */
            part: string;
            /**
             * @description fail: the part does not work. warn: it works, but something is missing or about to break.
             * @enum {string}
             */
            state: "ok" | "warn" | "fail";
            /** @description What was found, for people. */
            text: string;
            /** @description What to do; null if nothing. */
            advice: string | null;
        };
        GuideBlock: {
            /** @enum {string} */
            kind: "text" | "code";
            /** @description The runs of a paragraph. Empty for code. */
            spans: {
                text: string;
                /** @enum {string} */
                style: "plain" | "strong" | "code";
                href: string | null;
            }[];
            /** @description The code. Empty for a paragraph. */
            text: string;
        };
        /** @description The first frame, and one whenever changes may have been missed: read everything again. `version` changes with the dashboard. */
        HelloFrame: {
            /** @constant */
            event: "hello";
            version: string | null;
            /** Format: date-time */
            at: string;
            /** @description Seconds since the server last proved that changes reach it, which it does every ten seconds. If it is above 15 or null, changes may come late: list again. */
            news_age_seconds: number | null;
        };
        InboxAgent: {
            id: string;
            name: string;
            email: string;
            /** @description Whether conversations are assigned to them. */
            available: boolean;
            changed_at: string | null;
            /** @description Their conversations that are open, claimed or escalated. */
            open: number;
        };
        InboxConversation: {
            id: string;
            workspace_id: string;
            /** @enum {string} */
            channel: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            /** @description The channel that the conversation came through. Null for the API, and if the widget or page was removed. */
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
             * @description Resolved conversations only.
             */
            resolved_at?: string;
            /** @description When a snoozed conversation opens again. */
            snooze_until: string | null;
            message_count: number;
            /** @description All fields are null for an anonymous visitor. */
            customer: {
                email: string | null;
                /** @description True if the address comes from a verification_token or the channel's platform confirms it. False if it is only claimed, also with user.hash. Null if there is no address. */
                email_verified: boolean | null;
                name: string | null;
                phone: string | null;
            };
            tags: string[];
            /** @enum {string} */
            sla_state: "in_compliance" | "at_risk" | "breached";
            handle: string | null;
            summary: string | null;
            assignee: {
                id: string;
                name: string;
            } | null;
            assigned_at: string | null;
            waiting_since: string | null;
            sla: {
                first_response: {
                    /** Format: date-time */
                    since: string;
                    /** Format: date-time */
                    due_at: string;
                    /** @enum {string} */
                    state: "in_compliance" | "at_risk" | "breached";
                } | null;
                resolution: {
                    /** Format: date-time */
                    since: string;
                    /** Format: date-time */
                    due_at: string;
                    /** @enum {string} */
                    state: "in_compliance" | "at_risk" | "breached";
                } | null;
            };
            /** @description Of the visitor's last message that has any, such as the page they were on. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The last message that the caller has seen. */
            seen_position: number | null;
            /** @description Those of the caller: at most one of a reply and one of a note, the latest first. */
            drafts: components["schemas"]["InboxDraft"][];
            /** @description The platform's reply window, after which no reply is possible until the visitor writes again. Null if the platform has none. */
            reply_window: {
                open: boolean;
                /** @description Null if the visitor has never written. */
                closes_at: string | null;
            } | null;
            /** @description At most ten other conversations of the same visitor, latest activity first. */
            earlier: components["schemas"]["InboxRow"][];
            /** @description One for each time that a person resolved it, the latest first, 50 at most. */
            ratings: components["schemas"]["ConversationRating"][];
            /** @description With `audit`, newest first. */
            audit_log?: components["schemas"]["AuditEntry"][];
        };
        InboxDraft: {
            /** @enum {string} */
            kind: "reply" | "note";
            content: string;
            /** @description Changes that go with it, by snippets. */
            actions: {
                tags?: string[];
                /** @enum {string} */
                priority?: "low" | "normal" | "high" | "urgent";
                /** @enum {string} */
                status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
                /** Format: date-time */
                snooze_until?: string;
                assignee_id?: string | null;
            } | null;
            /**
             * Format: date-time
             * @description Its version: each save moves it.
             */
            updated_at: string;
            /** @description The text of another device of the caller, which did not know this version. */
            other: {
                content: string;
                actions: {
                    tags?: string[];
                    /** @enum {string} */
                    priority?: "low" | "normal" | "high" | "urgent";
                    /** @enum {string} */
                    status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
                    /** Format: date-time */
                    snooze_until?: string;
                    assignee_id?: string | null;
                } | null;
                /** Format: date-time */
                saved_at: string;
            } | null;
        };
        InboxNote: {
            id: string;
            conversation_id: string;
            content: string;
            /** @description The name of the API key, or the author_email that was given. */
            author: string;
            /** Format: date-time */
            created_at: string;
            /** @description Who may change it. */
            person_id: string | null;
            /** @description Ids of people. */
            mentions: string[];
            edited_at: string | null;
        };
        InboxRow: {
            id: string;
            /** @enum {string} */
            channel: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            channel_id: string | null;
            /** @enum {string} */
            status: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "urgent";
            /** @description The customer's name, address or number. Null for an anonymous visitor. */
            handle: string | null;
            customer: {
                name: string | null;
                email: string | null;
                /** @description False: the address is only what the visitor said. Null: there is none. */
                email_verified: boolean | null;
                phone: string | null;
            };
            tags: string[];
            assignee: {
                id: string;
                name: string;
            } | null;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            last_message_at: string;
            snooze_until: string | null;
            /** @description Since when the visitor waits for a person. */
            waiting_since: string | null;
            /** @enum {string} */
            sla_state: "in_compliance" | "at_risk" | "breached";
            /** @description When the next target is missed. */
            sla_due_at: string | null;
            message_count: number;
            /** @description Messages of the visitor that the caller has not seen, 99 at most. 0 if neither a person was asked for nor anybody is assigned. */
            unread: number;
            has_draft: boolean;
            last_line: {
                /** @enum {string} */
                role: "user" | "assistant" | "agent";
                /** @description At most 200 characters, without Markdown. */
                text: string;
                /** @description The name of the agent who wrote it. */
                author: string | null;
                author_id: string | null;
                /** Format: date-time */
                at: string;
            } | null;
            /** @description What a visitor who waits asked last, without courtesies and the wish for a person. */
            visitor_words: string | null;
        };
        IndexBacklog: {
            /** @description Documents whose newest content is not in the index yet. */
            documents: number;
            /** @description Since when the oldest of them waits. */
            oldest_at: string | null;
        };
        InstallationPerson: {
            id: string;
            email: string;
            name: string;
            is_operator: boolean;
            two_factor_enabled: boolean;
            memberships: {
                owner: string;
                /** @enum {string} */
                role: "owner" | "agent" | "viewer";
                /** @description Null: all workspaces of the owner. */
                workspaces: string[] | null;
            }[];
        };
        Invitation: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "agent" | "viewer";
            /** @description The ids of the workspaces that the person may see. Null: all of the owner. */
            workspaces: string[] | null;
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Null: the link was not mailed. */
            mailed_at: string | null;
            /** @description Why the mail server did not take the last mail, in its own words. Null: it took it. */
            mail_fault: string | null;
        };
        /** @description Sent as the only frame if an agent handles the conversation, or as the last frame if an agent took over during the answer. In the second case, the partial answer is discarded. */
        KeptFrame: {
            /** @constant */
            token: "";
            /** @constant */
            done: true;
            /** @constant */
            kept: true;
            message_id: string;
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
            /** @description When the old value expires after a rotation. Null if only one value is valid. */
            previous_valid_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The name of the person who made it, or `operator`. */
            created_by: string;
            /** @description To the minute. Null if it never was. */
            last_used_at: string | null;
            revoked_at: string | null;
            /** @description Outcomes of the last 30 days, oldest first, without days that have none. */
            days: {
                /**
                 * Format: date
                 * @description In UTC.
                 */
                day: string;
                /** @description Requests that succeeded, but for answers with low confidence. */
                answered: number;
                /** @description Answers with low confidence. */
                low: number;
                /** @description Requests that failed, or that the client gave up. */
                errors: number;
                /** @description Requests that a rate limit or the quota refused. */
                limited: number;
            }[];
        };
        KnowledgeSource: {
            id: string;
            workspace_id: string;
            name: string;
            kind: string;
            settings: {
                [key: string]: unknown;
            };
            has_credentials: boolean;
            audience: string[];
            include: string[];
            exclude: string[];
            max_items: number;
            schedule_minutes: number | null;
            paused: boolean;
            next_run_at: string | null;
            /**
             * @description in_step: every listed item is answered from its newest reading. catching_up: `left` are not yet. needs_you: the `troubles`, or the newest run failed. held: see `hold`.
             * @enum {string}
             */
            state: "not_read" | "paused" | "held" | "needs_you" | "catching_up" | "in_step";
            /** @description Items that are listed and not read, and documents that are read and not in the index. */
            left: number;
            /** @description Items that are answered from an older reading, or not at all, by their code. */
            troubles: components["schemas"]["SourceTrouble"][];
            /** @description What the run would do that waits for an owner. */
            hold: components["schemas"]["SourceHold"] | null;
            /** @description Set if a page, the sample, changed although its list named the same date: every page is checked at each run since then. */
            lastmod_distrust: {
                /** Format: date-time */
                since: string;
                sample: string;
            } | null;
            /** @description The documents that it keeps in step. */
            documents: number;
            /** @description Items that are or should be documents, and those of them that answer. */
            coverage: {
                listed: number;
                answered: number;
            };
            /** @description When the newest run began that read it to its end. Answers are no further behind. */
            as_of: string | null;
            indexing: components["schemas"]["IndexBacklog"];
            /** @description The newest run, also one that is going. */
            last_run: components["schemas"]["SourceRun"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        LedgerBlock: {
            hash: string;
            /** @enum {string} */
            kind: "heading" | "text" | "item" | "code" | "table" | "links";
            /** @description Of a heading, 1 to 6; otherwise 0. */
            level: number;
            text: string;
            /** @description The cells of a table; otherwise empty. */
            rows: string[][];
            kept: boolean;
            /** @description Why it is cut. template: it recurs on the pages of the site. outside: the page marks its content elsewhere. site_part: its name says that it belongs to the site. rule: a rule of the source. control: buttons and permalinks. */
            reason: ("menu" | "header" | "footer" | "aside" | "form" | "dialog" | "hidden" | "control" | "consent" | "site_part" | "edit_link" | "outside" | "template" | "rule") | null;
            /** @description Of a block that recurs: the pages that have it, of those that were looked at. */
            pages: {
                having: number;
                looked: number;
            } | null;
        };
        ListedDocument: {
            id: string;
            workspace_id: string;
            title: string;
            url: string | null;
            file_name: string | null;
            content_type: string | null;
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
            origin: ("file" | "text" | "page" | "demo" | "source") | null;
            /** @description The source that keeps it in step; null if none does. */
            source_id: string | null;
            /** @description Whether answers use an indexed text of it. */
            answering: boolean;
            bytes: number;
            chunks: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            indexed_at: string | null;
            /** @description Answers of the last 30 days that rest on the document, how many of them visitors rated, and how many of these with a thumbs down. Counted every five minutes. */
            use: {
                answers: number;
                rated: number;
                disliked: number;
            };
        };
        Me: {
            /** @description Null if the request carries the operator token. */
            person: components["schemas"]["Person"] | null;
            /** @description What the caller may do outside of workspaces. */
            permissions: ("workspace:read" | "workspace:write" | "inbox:read" | "inbox:reply" | "inbox:delete" | "customers:write" | "knowledge:read" | "knowledge:write" | "channels:read" | "channels:write" | "developers:read" | "developers:write" | "people:read" | "people:write" | "audit:read" | "usage:read" | "operations:read" | "operations:write" | "installation:write" | "self")[];
            /** @description The newest 100 workspaces that the caller may see. */
            workspaces: {
                id: string;
                name: string;
                owner: string;
                /** @enum {string} */
                role: "operator" | "owner" | "agent" | "viewer";
                permissions: ("workspace:read" | "workspace:write" | "inbox:read" | "inbox:reply" | "inbox:delete" | "customers:write" | "knowledge:read" | "knowledge:write" | "channels:read" | "channels:write" | "developers:read" | "developers:write" | "people:read" | "people:write" | "audit:read" | "usage:read" | "operations:read" | "operations:write" | "installation:write" | "self")[];
            }[];
        };
        Member: {
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "agent" | "viewer";
            /** @description The ids of the workspaces that the person may see. Null: all of the owner. */
            workspaces: string[] | null;
            two_factor_enabled: boolean;
            /** Format: date-time */
            joined_at: string;
        };
        Mention: {
            note_id: string;
            conversation_id: string;
            /** @enum {string} */
            channel: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
            /** @description Of the customer. */
            handle: string | null;
            author: string;
            /** @description The beginning of the note. */
            content: string;
            /** Format: date-time */
            at: string;
            read_at: string | null;
        };
        /** @description The caller's own mentions changed. */
        MentionFrame: {
            /** @constant */
            event: "mention";
            /** @description The conversation, or - for several. */
            id: string;
        };
        Message: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "agent";
            content: string;
            /** Format: date-time */
            created_at: string;
            /** @description Assistant messages only. */
            sources?: components["schemas"]["Source"][];
            /** @description Assistant messages only: which sentence rests on which passage. */
            citations?: components["schemas"]["Citation"][];
            /** @description Assistant messages only. */
            tokens_used?: number;
            /**
             * Format: date-time
             * @description User messages only: when the visitor last edited the message on the platform.
             */
            edited_at?: string;
            /**
             * Format: date-time
             * @description User messages only: when the visitor deleted the message on the platform. Its content is empty.
             */
            deleted_at?: string;
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
            latency_ms?: number | null;
            skills_fired?: string[] | null;
            tier?: ("answer" | "maybe" | "none") | null;
            /** @description The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills. */
            probability?: number | null;
            ai_generated?: boolean | null;
            quoted?: boolean | null;
            /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
            lead?: string | null;
            /** @description Assistant messages only: the sentence that a machine answers, which went out before the content. Null if none did. */
            disclosure?: string | null;
            /** @description User and agent messages with files only: the description of each file. */
            attachments?: {
                /** @enum {string} */
                kind: "image" | "audio" | "video" | "file" | "other";
                name: string | null;
                content_type: string | null;
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
        /** @description A message from an agent. */
        MessageFrame: {
            /** @constant */
            event: "message";
            message: components["schemas"]["VisitorMessage"];
        };
        NlwebAnswer: {
            query_id: string;
            results: {
                url: string;
                name: string;
                site: string;
                score: number;
                description: string;
                /** @description A schema.org object as JSON-LD. */
                schema_object: {
                    [key: string]: unknown;
                };
            }[];
            /** @description With mode summarize only. */
            summary?: string;
            /** @description With mode generate only. */
            answer?: string;
            /** @description With mode generate only: the passages that the answer is based on. */
            items?: {
                url: string;
                name: string;
                site: string;
                score: number;
                description: string;
                /** @description A schema.org object as JSON-LD. */
                schema_object: {
                    [key: string]: unknown;
                };
            }[];
            /**
             * @description maybe shows a section that may be the answer and says so. none is the fallback, or text that no document supports.
             * @enum {string}
             */
            tier?: "answer" | "maybe" | "none";
            /** @description The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills. */
            probability?: number | null;
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
        Note: {
            id: string;
            conversation_id: string;
            content: string;
            /** @description The name of the API key, or the author_email that was given. */
            author: string;
            /** Format: date-time */
            created_at: string;
        };
        Pagination: {
            /** @description Null on the last page. */
            next_cursor: string | null;
            has_more: boolean;
        };
        Person: {
            id: string;
            email: string;
            name: string;
            language: string | null;
            time_zone: string | null;
            /** @enum {string} */
            theme: "auto" | "light" | "dark";
            /** @description False if single-key shortcuts are switched off. */
            keys_enabled: boolean;
            /** @description How the dashboard tells of conversations in these views, without contents. */
            notifications: {
                /** @default false */
                browser: boolean;
                /** @default false */
                sound: boolean;
                /**
                 * @default [
                 *       "waiting",
                 *       "mine"
                 *     ]
                 */
                views: string[];
            };
            /** @description By action: the keys that the person chose, or null for none. */
            own_keys: {
                [key: string]: string | null;
            };
            /** @description Whether the person is mailed about mentions and assigned conversations that they have not seen. */
            email_digest: boolean;
            two_factor_enabled: boolean;
            has_password: boolean;
            is_operator: boolean;
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
        PersonSession: {
            id: string;
            /** @description True for the session that makes this request. */
            is_current: boolean;
            user_agent: string | null;
            ip_address: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        /** @description Everybody who has the conversation open now. */
        PresenceFrame: {
            /** @constant */
            event: "presence";
            id: string;
            people: {
                id: string;
                name: string;
                /** @enum {string} */
                doing: "viewing" | "writing";
            }[];
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
            /**
             * @description maybe shows a section that may be the answer and says so. none is the fallback, or text that no document supports.
             * @enum {string}
             */
            tier: "answer" | "maybe" | "none";
            /** @description The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills. */
            probability: number | null;
        };
        QueueFailure: {
            /** @description A number that increases with each entry. */
            id: string;
            channel_id: string;
            conversation_id: string | null;
            reason: string | null;
            attempts: number;
            /** @description false if the platform rejected the message permanently. */
            retriable: boolean;
            /**
             * Format: date-time
             * @description When the message was received (answer) or written (deliver).
             */
            at: string;
        };
        Queues: {
            /** @description Null if Redis is unavailable. Messages that arrive meanwhile are stored and processed later. */
            queues: {
                /** @enum {string} */
                name: "ingest" | "webhooks" | "summarise" | "bulk" | "source" | "evaluate" | "answer" | "deliver";
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
                /** @description True if a channel that this server polls or listens to has been silent for two minutes (Discord: 90 seconds), or if a platform that posts webhooks has been silent for unusually long. */
                stale: boolean;
                heard_at: string | null;
                last_error: string | null;
                /** @description Messages from visitors that are not yet processed. */
                unanswered: number;
                oldest_unanswered_at: string | null;
                /** @description Messages that could not be answered. They can be retried. */
                unanswerable: number;
                /** @description Parts of messages that wait to be sent. */
                unsent: number;
                oldest_unsent_at: string | null;
                /** @description Parts whose attempts are exhausted. They can be retried. */
                dead: number;
                /** @description Parts that the platform rejected permanently. */
                failed: number;
                /** @description The end of the platform's rate limit for this channel. Null if there is none. */
                held_until: string | null;
            }[];
            /** @description The workspaces with documents that wait for the index. */
            indexing: {
                /** @description Documents whose newest content is not in the index yet. */
                documents: number;
                /** @description Since when the oldest of them waits. */
                oldest_at: string | null;
                workspace_id: string;
            }[];
        };
        Rehearsal: {
            answer: string;
            /** @enum {string} */
            confidence: "high" | "medium" | "low";
            /**
             * @description maybe shows a section that may be the answer and says so. none is the fallback, or text that no document supports.
             * @enum {string}
             */
            tier: "answer" | "maybe" | "none";
            /** @description The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills. */
            probability: number | null;
            /** @description Whether a language model wrote any of the text. */
            ai_generated: boolean;
            /** @description Whether the text is quoted from documents. */
            quoted: boolean;
            /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
            lead: string | null;
            sources: components["schemas"]["Source"][];
            citations: components["schemas"]["Citation"][];
            /** @description The best passages, best first, at most ten. */
            passages: components["schemas"]["RehearsedPassage"][];
            decision: {
                /** @enum {string} */
                understood: "skill" | "small talk" | "questions";
                questions: {
                    asked: string;
                    searched: string;
                    score: number;
                }[];
                passages: {
                    document_id: string;
                    chunk_id: string;
                    title: string;
                    score: number;
                    read?: boolean;
                }[];
                evidence?: {
                    fused: number;
                    meaning: number;
                    lead: number;
                };
                correction?: {
                    slope: number;
                    offset: number;
                    probability: number | null;
                };
                /** @enum {string} */
                act: "reply" | "quote" | "suggest" | "generate" | "choose skills" | "fall back";
                because: string;
                /** @enum {string} */
                confidence: "high" | "medium" | "low";
                concluded: string;
            } | null;
            /** @description The probabilities from which on a passage is shown in each tier. */
            limits: {
                answer: number;
                maybe: number;
                high: number;
            };
            tokens_used: number;
            latency_ms: number;
        };
        RehearsalChoices: {
            /** @description Empty: answers are quoted from the documents. */
            models: string[];
            audiences: string[];
        };
        RehearsedPassage: {
            document_id: string;
            chunk_id: string;
            title: string;
            /** @description The headings above the passage, outermost first. */
            headings: string[];
            text: string;
            score: number;
            /** @description Whether the reader read the passage. */
            read: boolean;
            /**
             * @description used: the answer rests on it. near: it would be an answer by itself. unsure: it would be shown as a section that may be the answer. below: neither.
             * @enum {string}
             */
            use: "used" | "near" | "unsure" | "below";
        };
        ReplyPreview: {
            parts: {
                /** @description The text with the markup of the platform, if it has one. */
                text: string;
                /** @description The part as HTML, if the platform takes HTML. */
                html: string | null;
                /** @description Characters of `text`. */
                length: number;
                /** @description The files that the platform shows with the part. For others, `text` has a line with a link. */
                file_ids: string[];
            }[];
            /** @description The characters that one part may have. Null if the conversation has no channel. */
            limit: number | null;
            /**
             * @description How `text` is marked up. single-marks: as in *bold*.
             * @enum {string}
             */
            markup: "markdown" | "single-marks" | "none";
        };
        ResealReport: {
            /** @description The id of the current encryption key. It does not reveal the key. */
            key_id: string;
            /** @description The ids of the old keys that this process can still decrypt values with. */
            previous_key_ids: string[];
            /** @description The ids of the keys that at least one value still needs. If the list is empty, old keys can be removed. */
            outdated_key_ids: string[];
            tables: {
                table: string;
                /** @description Rows with an encrypted value. */
                rows: number;
                /** @description The rows among them that need an old key. */
                outdated: number;
                resealed: number;
                /** @description Rows with a value that no configured key can decrypt. */
                unreadable: number;
            }[];
        };
        SavedView: {
            name: string;
            /** @description Whether everybody in the workspace has the view. */
            shared: boolean;
            filters: {
                /** @enum {string} */
                view?: "waiting" | "mine" | "unread" | "sla_at_risk" | "snoozed" | "low_confidence" | "open" | "resolved" | "all";
                status?: ("open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived")[];
                channel?: string[];
                /** @description The id of a person, or `me`, or `none`. */
                assignee?: string;
                /** @description A conversation must have all of them. */
                tag?: string[];
                priority?: ("low" | "normal" | "high" | "urgent")[];
                unread?: boolean;
                /** @description The visitor waits for a person. */
                waiting?: boolean;
                /** @description The caller has a draft in it. */
                has_draft?: boolean;
                /** @description Words that one message contains, in any form and order. */
                q?: string;
                /** @description The address of the customer. */
                email?: string;
                /** @description A part of the name, address or phone number of the customer. */
                customer?: string;
                /**
                 * Format: date-time
                 * @description Started after this time.
                 */
                since?: string;
                /**
                 * Format: date-time
                 * @description Started before this time.
                 */
                until?: string;
                /**
                 * Format: date-time
                 * @description With a message, a change, a note or feedback at or after this time.
                 */
                updated_since?: string;
                /** @enum {string} */
                sla_state?: "in_compliance" | "at_risk" | "breached";
                /**
                 * @description The rating that the visitor gave to one of the answers.
                 * @enum {string}
                 */
                feedback?: "up" | "down";
            };
            /** @enum {string} */
            sort: "latest" | "waiting" | "sla_due";
            /** @description Views are sorted by it. */
            place: number;
            id: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        SearchResult: {
            document_id: string;
            chunk_id: string;
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
        SecretsStatus: {
            /** @description The id of the current encryption key. It does not reveal the key. */
            key_id: string;
            /** @description The ids of the old keys that this process can still decrypt values with. */
            previous_key_ids: string[];
            /** @description The ids of the keys that at least one value still needs. If the list is empty, old keys can be removed. */
            outdated_key_ids: string[];
            tables: {
                table: string;
                /** @description Rows with an encrypted value. */
                rows: number;
                /** @description The rows among them that need an old key. */
                outdated: number;
            }[];
        };
        SettingFrame: {
            /** @constant */
            event: "setting";
            /** @description An action of the audit log. */
            change: string;
        };
        SignInProvider: {
            /** @description On the button of the sign-in page. */
            name: string;
            /** Format: uri */
            issuer: string;
            client_id: string;
            /** @description Domains of the email addresses that may sign in. Each must be proven by a DNS record, see `domain_proofs`, and the provider must have verified the address. */
            domains: string[];
            /** @description Accepts addresses without `email_verified`, which Entra never sends. Only for a provider whose accounts are made by your company. Addresses with `email_verified` other than `true` are refused in any case. */
            trusts_addresses: boolean;
            /**
             * @description Of somebody who signs in without an invitation.
             * @enum {string}
             */
            default_role: "agent" | "viewer";
            enabled: boolean;
            /** @description Members must sign in this way. Owners keep their passkey, or their password with a second factor. */
            required: boolean;
            /** @description When somebody last signed in for a test. Null: never with this issuer, client and secret. */
            tested_at: string | null;
            tested_as: string | null;
            /** @description Why the last test failed, in the words of the provider. */
            test_fault: string | null;
        };
        /** @description The last frame: the session or the role has ended. */
        SignedOutFrame: {
            /** @constant */
            event: "signed_out";
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
        Snippet: {
            /** @description What agents type to find it. It must be unique in the workspace. */
            name: string;
            /** @description The text that goes into the reply. */
            text: string;
            /** @description Tags that the conversation gets with it. */
            tags: string[];
            /** @description Changes that the conversation gets with it. */
            actions: {
                /** @enum {string} */
                status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
                /** @enum {string} */
                priority?: "low" | "normal" | "high" | "urgent";
                /** @description The id of a person, or `me`, or `none` for the queue. */
                assign?: string;
            };
            id: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Source: {
            document_id: string;
            chunk_id: string;
            title: string;
            /** @description The same as title. */
            document_name: string;
            url: string | null;
            /** @description The headings above the passage, outermost first, without the title. */
            headings: string[];
            /** @description When the document was changed last, as the answer was written. Null if a language model wrote it, and for passages that no section of the answer is near. */
            changed_at: string | null;
            /** @description The exact text of the passage. */
            chunk: string;
            /** @description The same as chunk. */
            chunk_text: string;
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
            relevance_score: number;
        };
        SourceChangesTaken: {
            /** @description Items that are read now. */
            taken: number;
            /** @description unknown_item: it does not belong to the source. excluded: by a pattern. deleted_by_hand: somebody deleted its document. too_many_items: the source has max_items already. */
            left_out: {
                name: string;
                /** @enum {string} */
                code: "unknown_item" | "excluded" | "deleted_by_hand" | "too_many_items";
            }[];
        };
        SourceHold: {
            run_id: string;
            /** Format: date-time */
            since: string;
            /** @description pages_gone: at least 10 and more than a fifth of the documents would be removed. pages_shrunk: at least 10 and more than three in ten would lose more than half of their text. pages_alike: as many would become the same text. */
            rules: ("pages_gone" | "pages_shrunk" | "pages_alike")[];
            removed: number;
            changed: number;
            /** @description Documents that stay as they are. */
            kept: number;
            samples: {
                /** @enum {string} */
                effect: "removed" | "changed";
                document_id: string | null;
                title: string | null;
                url: string | null;
                /** @description Characters of text that it has. */
                before: number | null;
                /** @description Characters of text that it would have. */
                after: number | null;
            }[];
        };
        SourceItem: {
            /** @description Identifies the item within its source. */
            key: string;
            url: string | null;
            title: string | null;
            /**
             * @description waiting: not read yet. current: it is a document. gone: the last runs did not find it.
             * @enum {string}
             */
            state: "waiting" | "current" | "skipped" | "failed" | "gone";
            code: string | null;
            /** @description Why it is not a document, or may not stay one. */
            reason: string | null;
            document_id: string | null;
            /** @description Keys of items with the same text, at most 50: they are no documents of their own (`code` is `copy`). */
            aliases: string[];
            /** @description The number of links from the start of a website. */
            depth: number;
            /** @description Finished runs in a row that did not find it. */
            missing_runs: number;
            read_at: string | null;
        };
        SourceKind: {
            kind: string;
            /** @description The JSON schema of the settings. */
            settings: {
                [key: string]: unknown;
            };
            /** @description The JSON schema of the credentials. Fields with the format `password` are secret. Without properties, none are needed. */
            credentials: {
                [key: string]: unknown;
            };
            /** @description Why this installation does not offer the kind, and what to do. */
            unavailable: string | null;
        };
        SourceLedger: {
            key: string;
            url: string | null;
            title: string | null;
            /** @enum {string} */
            state: "waiting" | "current" | "skipped" | "failed" | "gone";
            reason: string | null;
            document_id: string | null;
            /** @description The passages of its document that are in the index. */
            passages: number;
            /**
             * @description Whether answers rest on its newest reading, on an earlier one, or not on it yet.
             * @enum {string}
             */
            answered: "newest" | "earlier" | "not";
            fetched_at: string | null;
            /** @description When it was last asked for, also if it had not changed. */
            checked_at: string | null;
            cut_at: string | null;
            /** @description Since then it is answered from. */
            indexed_at: string | null;
            /** @description All blocks of the page in order, at most 1,000. Null for what is not stored as a page: files, articles of tools, pages that are read as Markdown, and larger ones than 1 MB compressed. */
            blocks: components["schemas"]["LedgerBlock"][] | null;
            /** @description False if its document is about to be cut anew: the blocks say what it will hold. */
            cut_now: boolean;
            /** @description The rules that are for this page. */
            rules: components["schemas"]["SourceRule"][];
            /** @description The latest 20. Null without the permission `inbox:read`, and without a document. */
            answers: {
                /** @description Answers of the last 30 days that rest on it. */
                count: number;
                latest: {
                    message_id: string;
                    conversation_id: string;
                    question: string;
                    /** Format: date-time */
                    at: string;
                    confidence: string;
                    feedback: string | null;
                    /** @description The passages that it rests on. */
                    passages: string[];
                }[];
            } | null;
        };
        SourcePreview: {
            /** @description Those that were looked at first, at most 100. */
            items: {
                key: string;
                url: string | null;
                title: string | null;
                /** @enum {string} */
                outcome: "read" | "skipped" | "failed" | "moved" | "gone" | "not_read";
                code: string | null;
                reason: string | null;
                bytes: number | null;
                content_type: string | null;
            }[];
            /** @description Items by the beginning of their paths, the largest group first. */
            groups: {
                /** @description Matches the paths of its items. Null: what is left of many small groups. */
                pattern: string | null;
                listed: number;
                /** @description Those of them that no list names. */
                unlisted: number;
                /** @description Items that were looked at. */
                checked: number;
                /** @description Those of them that would become documents. */
                read: number;
                sample: {
                    key: string;
                    url: string | null;
                    title: string | null;
                    /** @enum {string} */
                    outcome: "read" | "skipped" | "failed" | "moved" | "gone" | "not_read";
                    code: string | null;
                    reason: string | null;
                    bytes: number | null;
                    content_type: string | null;
                } | null;
            }[];
            /** @description Items of groups of which a checked one would become a document. */
            covered: number;
            /** @description Pages of a website that are linked and named by neither its sitemap nor a feed, as far as pages were looked at. */
            unlisted: number;
            /** @description The pattern of the paths that are read; null for all. The setting `scope` changes it. */
            scope: string | null;
            /** @description Items that the list names and that lie outside of the scope. */
            outside: number;
            /** @description Items that were found so far and would be read. */
            listed: number;
            /** @description Whether the list was read to its end. */
            is_whole: boolean;
            /** @description Why the source cannot be read. */
            failure: {
                code: string;
                reason: string;
            } | null;
        };
        SourceRule: {
            id: string;
            /** @description The item. Null: all pages of the source. */
            key: string | null;
            block: string;
            /** @enum {string} */
            action: "keep" | "cut";
            /** @description The beginning of the text of the block. */
            sample: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        SourceRun: {
            id: string;
            /** @description Counts the runs of the source, from 1. */
            number: number;
            /** @description The name of the person, or `operator`, `schedule`, `change` (of a file in a folder), `webhook github`, or `notice` for changes that waited. */
            started_by: string;
            /** @description Whether it reads every item again, whatever its version. */
            full: boolean;
            /** @description Whether it reads nothing, and only cuts stored pages anew, by a rule or a new version. */
            cut_only: boolean;
            /**
             * @description changes: it reads only items that were named as changed, beside a run that reads all.
             * @enum {string}
             */
            scope: "all" | "changes";
            /**
             * @description held: its changes are implausible, so nothing was removed or replaced. An owner decides, or a later run.
             * @enum {string}
             */
            state: "queued" | "running" | "finished" | "failed" | "cancelled" | "held";
            /** @description What a run that is going does: it lists items, reads them, removes documents. */
            phase: ("list" | "read" | "remove") | null;
            /** @description `gone` counts items that were not found any more, `removed` documents that were deleted because their item is gone, has moved into another, or is left out. Of a run that is held, `changed` was read and not published. */
            counts: {
                listed: number;
                added: number;
                changed: number;
                unchanged: number;
                gone: number;
                removed: number;
                skipped: number;
                failed: number;
            };
            /** @description Pages of a website that are linked, and named by neither its sitemap nor a feed. They are read, unless the setting `read_unlisted` is false. */
            unlisted: number;
            /** @description Items that are listed and not read yet. */
            waiting: number;
            code: string | null;
            /** @description Why the run failed or waits, or what to know about it. */
            reason: string | null;
            /** @description What became of a run that was held. Null while it is. */
            hold_outcome: ("applied" | "discarded" | "released") | null;
            /** @description Set while the tool has asked to wait. */
            waits_until: string | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        SourceTrouble: {
            code: string;
            items: number;
            /**
             * @description What a person can do. wait: the next run tries again. allow_access: let the user agent Parley or the account in. render: offer a version that needs no script. shorten: split it. correct_link: repair the list or the link. replace_file: upload the file anew. read_reason: see the reason.
             * @enum {string}
             */
            remedy: "wait" | "allow_access" | "render" | "shorten" | "correct_link" | "replace_file" | "read_reason";
            sample: {
                title: string | null;
                url: string | null;
                reason: string | null;
            };
        };
        SourceWebhook: {
            /**
             * @description waiting: for the secret. received: the tool has sent its secret, which can be shown once. on: calls of the tool are believed.
             * @enum {string}
             */
            state: "off" | "waiting" | "received" | "on";
            /**
             * @description parley: it is made here, and entered in the tool. person: it is copied from the tool. tool: the tool sends it in its first call.
             * @enum {string}
             */
            secret_from: "parley" | "person" | "tool";
            /** @description Where the tool calls. Null without PUBLIC_URL. */
            address: string | null;
            /** @description Shown in this answer only. */
            secret: string | null;
            since: string | null;
            /** @description The last call that was believed. */
            called_at: string | null;
        };
        /** @description The first frame of the stream, and one after each change. */
        StateFrame: {
            /**
             * @description waiting: the visitor requested an agent. person: an agent handles the conversation.
             * @enum {string}
             */
            status: "open" | "waiting" | "person" | "closed";
            /** @description The name of the agent who has the conversation. If it is closed, of the person who closed it; null if no person did. */
            agent: string | null;
            /** @description The number of agent messages that the visitor has not seen. */
            unread: number;
            /** @description true while a question of the visitor is being answered. */
            answering: boolean;
            /** @description Given if the visitor is asked to rate the conversation that a person resolved. */
            rating: {
                /** @description Null while the visitor has not answered. */
                score: number | null;
            } | null;
            /** @constant */
            event: "state";
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
        Suggestion: {
            text: string | null;
            /** @enum {string} */
            confidence: "high" | "medium" | "low";
            sources: components["schemas"]["Source"][];
            /** @description What it answers. Empty if the visitor has asked nothing since the last reply. */
            question: string;
            /** @description The last of them. The suggestion is outdated once there is a newer message. */
            message_id: string | null;
            /** @description Whether a language model wrote it. */
            written: boolean;
            /** @description Whether it is an answer that the visitor already has. */
            told: boolean;
        };
        TestQuestion: {
            question: string;
            /** @default [] */
            audience: string[];
            /**
             * @description ISO 639-1. Null: the language of the question.
             * @default null
             */
            language: string | null;
            /**
             * @description nothing: the documents hold no answer, and saying so is right.
             * @default answer
             * @enum {string}
             */
            expects: "answer" | "nothing";
            /**
             * @description A right answer has one of these texts. Upper and lower case, spaces and punctuation do not matter.
             * @default []
             */
            accepted: string[];
            /**
             * @description A right answer rests on this document. Counts without `accepted`.
             * @default null
             */
            document_id: string | null;
            /**
             * @description The heading in that document under which the answer stands. Null: any.
             * @default null
             */
            section: string | null;
            /**
             * @description An answer in your words. Counts without the others: a right answer has all its numbers and most of its words.
             * @default null
             */
            said: string | null;
            /**
             * @description right and wrong: a person judged an answer. upload: it came with a file.
             * @default hand
             * @enum {string}
             */
            origin: "right" | "wrong" | "upload" | "hand";
            id: string;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** @description How the newest run judged the answer. Null: no run has asked it. */
            last: {
                /** @enum {string} */
                outcome: "right" | "unsure" | "wrong" | "refused" | "error";
                because: string;
                answer: string;
            } | null;
        };
        TestResult: {
            question_id: string;
            question: string;
            /** @enum {string} */
            outcome: "right" | "unsure" | "wrong" | "refused" | "error";
            because: string;
            /** @description At most 2,000 characters. */
            answer: string;
            probability: number | null;
            source_title: string | null;
            /** @description The outcome in the finished run before. Null: that did not ask the question. */
            before: ("right" | "unsure" | "wrong" | "refused" | "error") | null;
        };
        TestRun: {
            id: string;
            /** @enum {string} */
            state: "running" | "finished" | "cancelled";
            /** @enum {string} */
            reason: "hand" | "nightly";
            started_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            /** @description The number of questions when the run began. */
            questions: number;
            right: number;
            /** @description Right answers that said they are unsure. */
            unsure: number;
            wrong: number;
            /** @description Questions that have an answer and got none. */
            refused: number;
        };
        TestRunResults: {
            id: string;
            /** @enum {string} */
            state: "running" | "finished" | "cancelled";
            /** @enum {string} */
            reason: "hand" | "nightly";
            started_by: string;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            /** @description The number of questions when the run began. */
            questions: number;
            right: number;
            /** @description Right answers that said they are unsure. */
            unsure: number;
            wrong: number;
            /** @description Questions that have an answer and got none. */
            refused: number;
            results: components["schemas"]["TestResult"][];
        };
        TimelineEntry: {
            /** @constant */
            kind: "message";
            position: number;
            /** @description The person who was signed in when they wrote it. Null: `author` is as the operator token stated it. */
            author_id: string | null;
            /** @description The name of the person who wrote it. */
            author_name: string | null;
            /** @description The delivery of each part that the platform shows. Empty if nothing is sent. */
            parts: {
                /** @enum {string} */
                status: "queued" | "held" | "sent" | "delivered" | "read" | "failed" | "withheld";
                reason: string | null;
                /** Format: date-time */
                at: string;
            }[];
            message: components["schemas"]["Message"];
        } | {
            /** @constant */
            kind: "note";
            note: components["schemas"]["InboxNote"];
        } | {
            /** @constant */
            kind: "change";
            change: components["schemas"]["AuditEntry"];
        };
        /** @description A piece of the answer. All tokens joined are the complete answer. */
        TokenFrame: {
            token: string;
            /** @constant */
            done: false;
        };
        /** @description Every ten seconds. The stream also looks for changes every 15 seconds, so that it brings them even without news. */
        VisitorAliveFrame: {
            /** @constant */
            event: "alive";
            /** @description Seconds since the server last proved that changes reach it, which it does every ten seconds. If it is above 15 or null, changes may come late: list again. */
            news_age_seconds: number | null;
        };
        VisitorFile: {
            id: string;
            name: string | null;
            content_type: string | null;
            bytes: number | null;
        };
        VisitorMessage: {
            id: string;
            /** @enum {string} */
            role: "user" | "assistant" | "agent";
            content: string;
            /** Format: date-time */
            created_at: string;
            /** @description The passages that the answer is based on. */
            sources: components["schemas"]["Source"][];
            /** @description Pages related to a question that has no answer. */
            related: components["schemas"]["Source"][];
            /** @description Answers only: maybe is shown with a question whether it helped, and a button for a person. */
            tier: ("answer" | "maybe" | "none") | null;
            /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
            lead: string | null;
            /** @description The name of the agent who wrote the message. */
            author: string | null;
            feedback: ("up" | "down") | null;
            /** @description true if the answer is incomplete. */
            cut: boolean;
            /** @description true if the message announces an agent. Such a message cannot be rated. */
            handover: boolean;
            /** @description The files that the visitor or the agent attached. */
            attachments: {
                name: string | null;
                content_type: string | null;
                bytes: number | null;
                /** @description Files of agents only: the link to the file. */
                url?: string;
            }[];
        };
        VisitorMessages: {
            /**
             * @description waiting: the visitor requested an agent. person: an agent handles the conversation.
             * @enum {string}
             */
            status: "open" | "waiting" | "person" | "closed";
            /** @description The name of the agent who has the conversation. If it is closed, of the person who closed it; null if no person did. */
            agent: string | null;
            /** @description The number of agent messages that the visitor has not seen. */
            unread: number;
            /** @description true while a question of the visitor is being answered. */
            answering: boolean;
            /** @description Given if the visitor is asked to rate the conversation that a person resolved. */
            rating: {
                /** @description Null while the visitor has not answered. */
                score: number | null;
            } | null;
            messages: components["schemas"]["VisitorMessage"][];
            pagination: components["schemas"]["Pagination"];
        };
        VisitorSession: {
            /** @description The token for the header Authorization: Bearer. Store it in the browser. */
            session: string;
            /** Format: date-time */
            expires_at: string;
            visitor: {
                verified: boolean;
                name: string | null;
                email: string | null;
                /** @description true if the address comes from a verification_token. Null if there is no address. */
                email_verified: boolean | null;
            };
        };
        /** @description The visitor writes. It holds for six seconds. */
        VisitorTypingFrame: {
            /** @constant */
            event: "typing";
            id: string;
        };
        Webhook: {
            id: string;
            workspace_id: string;
            url: string;
            events: string[];
            enabled: boolean;
            disabled_at: string | null;
            /** @description Why the webhook was disabled. */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WidgetLook: {
            title: string;
            greeting: string;
            /** @description The line at the top that says that a machine answers. Null if the workspace does not show it. */
            disclosure: string | null;
            /** @description The accent colour, a readable text colour on it, and its readable variants on light and dark backgrounds. */
            accent: {
                colour: string;
                text: string;
                light: string;
                dark: string;
            };
            logo_url: string | null;
            suggestions: string[];
            /** @description true if the visitor first chooses between the assistant and an agent. */
            choice: boolean;
            /** @description The limits of attachments. Null if attachments are disabled. */
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
            /** @description The path of the script that displays the chat. */
            script: string;
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
                fallback_messages?: {
                    [key: string]: string;
                };
                disclosure_enabled?: boolean;
                disclosure_message?: string;
                disclosure_messages?: {
                    [key: string]: string;
                };
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
                embedding_model?: string;
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
                answer_from?: number;
                maybe_from?: number;
                escalate_after_fallbacks?: number;
                ask_for_rating?: boolean;
                handover?: {
                    /** @enum {string} */
                    assignment?: "none" | "round_robin" | "least_busy";
                    return_after_minutes?: number;
                };
            };
            /** @description The token for browsers. It gives access to the widget only. */
            public_token: string;
            /** Format: date-time */
            created_at: string;
        };
        WorkspaceAuditEntry: {
            id: string;
            /** @description For example status_changed, tags_changed, note_added, deleted, person_erased or secret_rotated. */
            action: string;
            /** @description The name of the person or API key, or visitor, operator, snooze or retention. */
            actor: string;
            /** @description The id of the person, which stays when they change their name. Null for API keys, processes and the operator's token. */
            actor_id: string | null;
            /** Format: date-time */
            at: string;
            /** @description The change: `from` and `to`, or `fields` with the names of the changed fields. Never contains personal data. */
            details: {
                [key: string]: unknown;
            };
            /** @description Null for an entry about the whole workspace or its owner. */
            conversation_id: string | null;
        };
    };
    responses: {
        /** @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding. */
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
        /** @description `receive_timeout`: The request did not arrive completely in time. Send it again. */
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
        /** @description `headers_too_large`: The headers are larger than 16 KB. Send fewer or shorter headers. */
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
        /** @description `internal_error`: Something went wrong on our side. Retry, and include the request_id if you contact support. */
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
         * @description `missing_auth`: The Authorization header is missing. Send Authorization: Bearer <API_KEY>.
         *
         *     `malformed_auth`: The Authorization header is malformed. Use exactly: Authorization: Bearer <API_KEY>.
         *
         *     `invalid_key`: The API key is not valid: it was revoked or never existed. Use a current key.
         *
         *     `invalid_session`: The session has ended or does not exist. Start a new session.
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
                    code: "missing_auth" | "malformed_auth" | "invalid_key" | "invalid_session";
                };
            };
        };
        /**
         * @description `permission_denied`: Your role does not allow this. Ask an owner of the workspace to do it or to change your role.
         *
         *     `cross_site_request`: This request did not come from the dashboard. Send it from the address that the dashboard was opened at.
         */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "permission_denied" | "cross_site_request";
                };
            };
        };
        /** @description `misdirected_request`: This host is not that of PUBLIC_URL. Open the dashboard at PUBLIC_URL, or let the proxy pass the Host header on. */
        MisdirectedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "misdirected_request";
                };
            };
        };
        /** @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header. */
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
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
         *
         *     `missing_field`: A required field is missing. Add it and send the request again.
         *
         *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
         *
         *     `message_too_long`: The query is longer than 4,000 characters. Shorten it and send the request again.
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
         * @description `missing_auth`: The Authorization header is missing. Send Authorization: Bearer <API_KEY>.
         *
         *     `malformed_auth`: The Authorization header is malformed. Use exactly: Authorization: Bearer <API_KEY>.
         *
         *     `invalid_key`: The API key is not valid: it was revoked or never existed. Use a current key.
         *
         *     `expired_key`: The API key has expired. Create a new key in the dashboard or with `parley key create`.
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
         * @description `workspace_access_denied`: The API key belongs to another owner than this workspace. Use a key of the workspace.
         *
         *     `verification_required`: This workspace requires verified visitors. Send user.hash or verification_token.
         *
         *     `feature_not_in_plan`: The plan of this workspace does not include API access. Upgrade to Starter or higher.
         */
        Forbidden2: {
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
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `conversation_not_found`: The conversation does not exist. Check the conversation_id.
         *
         *     `document_not_found`: The document does not exist. Check its id.
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
        /** @description `payload_too_large`: The body is too large. Send a smaller one. */
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
        /** @description `unsupported_media_type`: The content type is not supported by this route. Check the Content-Type header. */
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
         * @description `quota_exhausted`: The monthly message quota of the owner is used up. Upgrade the plan or wait for the next month.
         *
         *     `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
         *
         *     `rate_limit_day`: Too many requests today. The limit resets at midnight UTC.
         *
         *     `rate_limit_concurrent`: More than 50 requests of this key are in flight. Wait until some have finished.
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
        /** @description `request_timeout`: The request took longer than 30 seconds. Retry with backoff. */
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
        /** @description `internal_error`: Something went wrong on our side. Retry, and include the request_id if you contact support. */
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
        /** @description `deploying`: This server is starting or shutting down. Retry after the number of seconds in the Retry-After header. */
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
         * @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
         *
         *     `rate_limit_day`: Too many requests today. The limit resets at midnight UTC.
         *
         *     `rate_limit_concurrent`: More than 50 requests of this key are in flight. Wait until some have finished.
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
        /** @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding. */
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
        /** @description `feature_not_in_plan`: The plan of this workspace does not include API access. Upgrade to Starter or higher. */
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
        /** @description `conversation_not_found`: The conversation does not exist. Check the conversation_id. */
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
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
         *
         *     `missing_field`: A required field is missing. Add it and send the request again.
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
        /** @description `workspace_not_found`: The workspace does not exist. Check its id. */
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
        /** @description `deploying`: This server is starting or shutting down. Retry after the number of seconds in the Retry-After header. */
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
        /** @description `payload_too_large`: The body is too large. Send a smaller one. */
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
        /** @description `unsupported_media_type`: The content type is not supported by this route. Check the Content-Type header. */
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
         * @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
         *
         *     `quota_exhausted`: The monthly message quota of the owner is used up. Upgrade the plan or wait for the next month.
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
         * @description `model_provider_error`: The language-model provider returned an error. Retry with backoff.
         *
         *     `internal_error`: Something went wrong on our side. Retry, and include the request_id if you contact support.
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
        /** @description `upstream_timeout`: A backend service did not answer in time. Retry with backoff. */
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
         * @description `provider_down`: No language-model provider is available. Retry with backoff.
         *
         *     `deploying`: This server is starting or shutting down. Retry after the number of seconds in the Retry-After header.
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
        /** @description `request_timeout`: The request took longer than 30 seconds. Retry with backoff. */
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
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
         *
         *     `missing_field`: A required field is missing. Add it and send the request again.
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
        /** @description `member_not_found`: The member does not exist. Check the id. */
        MemberNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "member_not_found";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
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
         * @description `invalid_limit`: limit must be an integer from 1 to 100.
         *
         *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
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
         * @description `permission_denied`: Your role does not allow this. Ask an owner of the workspace to do it or to change your role.
         *
         *     `cross_site_request`: This request did not come from the dashboard. Send it from the address that the dashboard was opened at.
         *
         *     `proof_required`: This cannot be undone, so it needs a proof that is at most ten minutes old. Send your password, a code of your second factor or a passkey to POST /dashboard/prove, then send the request again.
         */
        Forbidden3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "permission_denied" | "cross_site_request" | "proof_required";
                };
            };
        };
        /** @description `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server. */
        NoPublicAddress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "no_public_address";
                };
            };
        };
        /** @description `last_owner`: This is the last owner. Make another person an owner first. */
        LastOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "last_owner";
                };
            };
        };
        /**
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
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
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
         *
         *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
         *
         *     `missing_field`: A required field is missing. Add it and send the request again.
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
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
         *
         *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
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
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `correction_offer_not_found`: There is no such offer: it was answered already, or a newer one has replaced it. Read it again.
         */
        NotFound2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "correction_offer_not_found";
                };
            };
        };
        /** @description `snippet_name_taken`: This workspace already has a snippet with this name. Choose another name. */
        SnippetNameTaken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "snippet_name_taken";
                };
            };
        };
        /**
         * @description `invalid_body`: The body must be a JSON object.
         *
         *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
         *
         *     `invalid_tags`: tags must be an array of at most 50 strings, each 1 to 64 characters long.
         */
        UnprocessableEntity2: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_body" | "invalid_name" | "invalid_tags";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `snippet_not_found`: The snippet does not exist. Check its id.
         */
        NotFound3: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "snippet_not_found";
                };
            };
        };
        /** @description `invalid_restorable`: restorable must be true or false. */
        InvalidRestorable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_restorable";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `tag_not_found`: No conversation or snippet has this tag. Check its spelling.
         */
        NotFound4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "tag_not_found";
                };
            };
        };
        /**
         * @description `invalid_body`: The body must be a JSON object.
         *
         *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
         *
         *     `invalid_rate_limit_minute`: rate_limit_minute must be an integer from 1 to 1,000.
         *
         *     `invalid_rate_limit_day`: rate_limit_day must be an integer from 1 to 100,000.
         *
         *     `invalid_expires_at`: expires_at must be an ISO 8601 time in the future.
         */
        UnprocessableEntity3: {
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
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `key_not_found`: The API key does not exist. Check its id.
         */
        NotFound5: {
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
         * @description `invalid_multipart`: The multipart body cannot be read. Send a complete multipart/form-data body with its boundary.
         *
         *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
         *
         *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
         *
         *     `missing_field`: A required field is missing. Add it and send the request again.
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
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `document_not_found`: The document does not exist. Check its id.
         */
        NotFound6: {
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
        /** @description `document_exists`: Another document of this workspace has this URL or file name. Change or delete that one first. */
        DocumentExists: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "document_exists";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `source_not_found`: The source does not exist. Check its id.
         */
        NotFound7: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "source_not_found";
                };
            };
        };
        /** @description `source_hook_unavailable`: Tools of this kind send no webhooks to Parley. Name changes with the operation for changed items. */
        SourceHookUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "source_hook_unavailable";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `test_run_not_found`: The test run does not exist. Check its id.
         */
        NotFound8: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "test_run_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `conversation_not_found`: The conversation does not exist. Check the conversation_id.
         *
         *     `attachment_not_found`: The file does not exist, or its platform has deleted it.
         */
        NotFound9: {
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
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `conversation_not_found`: The conversation does not exist. Check the conversation_id.
         */
        NotFound10: {
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
         * @description `invalid_body`: The body must be a JSON object.
         *
         *     `invalid_file`: file must be exactly one non-empty file.
         */
        UnprocessableEntity4: {
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
         * @description `invalid_body`: The body must be a JSON object.
         *
         *     `invalid_content`: content must be a string that is neither empty nor too long.
         *
         *     `invalid_mentions`: mentions must be an array of ids of people who may reply in this workspace.
         */
        UnprocessableEntity5: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_body" | "invalid_content" | "invalid_mentions";
                };
            };
        };
        /**
         * @description `not_your_note`: Only the person who wrote a note can change or delete it.
         *
         *     `permission_denied`: Your role does not allow this. Ask an owner of the workspace to do it or to change your role.
         *
         *     `cross_site_request`: This request did not come from the dashboard. Send it from the address that the dashboard was opened at.
         */
        Forbidden4: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "not_your_note" | "permission_denied" | "cross_site_request";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `note_not_found`: The note does not exist. Check its id.
         *
         *     `conversation_not_found`: The conversation does not exist. Check the conversation_id.
         */
        NotFound11: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "note_not_found" | "conversation_not_found";
                };
            };
        };
        /** @description `draft_moved_on`: Another device of yours saved this draft meanwhile. Both texts are kept; the stored one is in draft. */
        DraftMovedOn: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "draft_moved_on";
                };
            };
        };
        /**
         * @description `invalid_body`: The body must be a JSON object.
         *
         *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
         *
         *     `invalid_sort`: sort must be "latest", "waiting" or "sla_due".
         */
        UnprocessableEntity6: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "invalid_body" | "invalid_name" | "invalid_sort";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `view_not_found`: The saved view does not exist. Check its id.
         */
        NotFound12: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "view_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `action_not_found`: The bulk action does not exist. Check its id.
         */
        NotFound13: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "action_not_found";
                };
            };
        };
        /**
         * @description `ambiguous_person`: Exactly one of email, phone and user_id is required.
         *
         *     `invalid_email`: email must be an email address.
         *
         *     `invalid_phone`: phone must be a phone number with at least five digits.
         *
         *     `invalid_user_id`: user_id must be a string of 1 to 200 characters.
         */
        UnprocessableEntity7: {
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
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `member_not_found`: The member does not exist. Check the id.
         */
        NotFound14: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "member_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `invitation_not_found`: The invitation does not exist, or was already used. Check its id.
         */
        NotFound15: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "invitation_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `sign_in_provider_not_found`: No sign-in is set up here, or it is switched off.
         */
        NotFound16: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code: "workspace_not_found" | "sign_in_provider_not_found";
                };
            };
        };
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `webhook_not_found`: The webhook does not exist. Check its id.
         */
        NotFound17: {
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
        /** @description `webhook_disabled`: This webhook is disabled. Enable it first. */
        WebhookDisabled: {
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
        /**
         * @description `skill_name_taken`: This workspace already has an HTTP skill with this name. Choose another name.
         *
         *     `too_many_skills`: This workspace has 20 HTTP skills, which is the maximum. Delete one first.
         */
        Conflict: {
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
        /**
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `skill_not_found`: The HTTP skill does not exist. Check its id.
         */
        NotFound18: {
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
         * @description `workspace_not_found`: The workspace does not exist. Check its id.
         *
         *     `channel_not_found`: The channel does not exist. Check its id.
         */
        NotFound19: {
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
         *     `invalid_grace_seconds`: grace_seconds must be an integer from 0 to 604,800 (seven days).
         */
        UnprocessableEntity8: {
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
        /** @description `origin_not_allowed`: This origin is not allowed to call this URL. Add it to the setting allowed_domains of the channel. */
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
        /** @description `channel_not_found`: The channel does not exist. Check its id. */
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
         * @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
         *
         *     `challenge_required`: Too many requests. Solve the proof of work in the Challenge header, or retry later.
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
         * @description `missing_auth`: The Authorization header is missing. Send Authorization: Bearer <API_KEY>.
         *
         *     `malformed_auth`: The Authorization header is malformed. Use exactly: Authorization: Bearer <API_KEY>.
         *
         *     `invalid_session`: The session has ended or does not exist. Start a new session.
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
         * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
         *
         *     `invalid_json`: The body is not valid JSON. Check its syntax.
         *
         *     `missing_field`: A required field is missing. Add it and send the request again.
         *
         *     `message_too_long`: The query is longer than 4,000 characters. Shorten it and send the request again.
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
         * @description `origin_not_allowed`: This origin is not allowed to call this URL. Add it to the setting allowed_domains of the channel.
         *
         *     `verification_required`: This workspace requires verified visitors. Send user.hash or verification_token.
         */
        Forbidden5: {
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
         * @description `channel_not_found`: The channel does not exist. Check its id.
         *
         *     `attachment_not_found`: The file does not exist, or its platform has deleted it.
         */
        NotFound20: {
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
         * @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
         *
         *     `challenge_required`: Too many requests. Solve the proof of work in the Challenge header, or retry later.
         *
         *     `rate_limit_concurrent`: More than 50 requests of this key are in flight. Wait until some have finished.
         *
         *     `quota_exhausted`: The monthly message quota of the owner is used up. Upgrade the plan or wait for the next month.
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
         * @description The X-Request-Id of the request, or a generated one. Include it when you contact support.
         * @example req_01K5Z2V0B8Q4M3N7R6T9W1X2Y3
         */
        "X-Request-Id": string;
        /**
         * @description The number of requests that the key may make per minute.
         * @example 60
         */
        "X-RateLimit-Limit-Minute": number;
        /**
         * @description The number of requests that are left in this minute.
         * @example 59
         */
        "X-RateLimit-Remaining-Minute": number;
        /**
         * @description The number of requests that the key may make per day.
         * @example 1000
         */
        "X-RateLimit-Limit-Day": number;
        /**
         * @description The number of requests that are left today.
         * @example 999
         */
        "X-RateLimit-Remaining-Day": number;
        /**
         * @description The start of the next day (midnight UTC), in Unix seconds.
         * @example 1789603200
         */
        "X-RateLimit-Reset-Day": number;
        /**
         * @description The number of seconds to wait before the next attempt.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description With challenge_required: a JWT whose claim bits is a number. Find a number n for which the SHA-256 of the JWT, a full stop and n begins with at least that number of zero bits. Repeat the request within two minutes with the header Challenge-Answer: the JWT, a space and n. An answer is valid for one request of this client.
         * @example eyJhbGciOiJIUzI1NiJ9.eyJiaXRzIjoxNX0.c2lnbmF0dXJl
         */
        Challenge: string;
        /**
         * @description Present if the response repeats an earlier one to a request with the same Idempotency-Key.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description The authentication scheme.
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
                             * @description ok if this process can write to the database.
                             * @enum {string}
                             */
                            database: "ok" | "starting" | "degraded" | "failed";
                            /**
                             * @description Absent in a process that does not search.
                             * @enum {string}
                             */
                            embedder?: "ok" | "starting" | "degraded" | "failed";
                            /** @enum {string} */
                            queue: "ok" | "starting" | "degraded" | "failed";
                            /**
                             * @description ok if at least one process runs workers; starting if none has yet, within a minute of the start of this process.
                             * @enum {string}
                             */
                            workers: "ok" | "starting" | "degraded" | "failed";
                        };
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            408: components["responses"]["ReceiveTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description A part that every request needs has failed, or the server is shutting down. */
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
                             * @description ok if this process can write to the database.
                             * @enum {string}
                             */
                            database: "ok" | "starting" | "degraded" | "failed";
                            /**
                             * @description Absent in a process that does not search.
                             * @enum {string}
                             */
                            embedder?: "ok" | "starting" | "degraded" | "failed";
                            /** @enum {string} */
                            queue: "ok" | "starting" | "degraded" | "failed";
                            /**
                             * @description ok if at least one process runs workers; starting if none has yet, within a minute of the start of this process.
                             * @enum {string}
                             */
                            workers: "ok" | "starting" | "degraded" | "failed";
                        };
                        /**
                         * @description Until the server is ready for the first time, instead of checks.
                         * @enum {string}
                         */
                        status?: "starting" | "migrating";
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
            /** @description The text format of Prometheus. */
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
        };
    };
    query: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for 24 hours: a retry with the same key returns the same response and counts once. */
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
                    /** @description Defaults to the workspace of the key. */
                    workspace_id?: string | null;
                    query: string;
                    /** @description Continues a conversation. If it is absent, null or empty, a new one starts. */
                    conversation_id?: string | null;
                    /**
                     * @description The maximum number of found passages that the answer may use. A quoted one is shown with its whole section. If it is absent and a language model answers, up to 30. A model reads at most 6,000 characters of them.
                     * @default 5
                     */
                    top_k?: number | null;
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
                    document_ids?: string[] | null;
                    session_id?: string | null;
                    user?: {
                        user_id: string;
                        /** @description The lower-case hexadecimal HMAC-SHA256 of user_id with the workspace's identity secret as the key. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) that is signed with the identity secret. */
                    verification_token?: string | null;
                    /** @description Free context, such as page_url. It is stored with the question and does not influence the answer. At most 16 KB of JSON, otherwise `422 invalid_metadata`. */
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
                        /** @description Which sentence rests on which passage, in order. Empty for small talk and the fallback message. */
                        citations: components["schemas"]["Citation"][];
                        conversation_id: string;
                        message_id: string;
                        /** @description The same as message_id. */
                        query_id: string;
                        tokens_used: number;
                        skills_fired: string[];
                        latency_ms: number;
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
                        ai_generated: boolean;
                        /** @description Whether the text is quoted from documents. */
                        quoted: boolean;
                        /** @description The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself. */
                        lead: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized2"];
            403: components["responses"]["Forbidden2"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `duplicate_request_id`: This Idempotency-Key is in use by another request or was used with a different body. Use a new key for each new request. */
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
             * @description `invalid_idempotency_key`: Idempotency-Key must be 1 to 255 characters long.
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
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids of the workspace.
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
             * @description `model_provider_error`: The language-model provider returned an error. Retry with backoff.
             *
             *     `internal_error`: Something went wrong on our side. Retry, and include the request_id if you contact support.
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
            /** @description `upstream_timeout`: A backend service did not answer in time. Retry with backoff. */
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
             * @description `provider_down`: No language-model provider is available. Retry with backoff.
             *
             *     `deploying`: This server is starting or shutting down. Retry after the number of seconds in the Retry-After header.
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
                    /** @description Defaults to the workspace of the key. */
                    workspace_id?: string | null;
                    query: string;
                    /** @description Continues a conversation. If it is absent, null or empty, a new one starts. */
                    conversation_id?: string | null;
                    /**
                     * @description The maximum number of found passages that the answer may use. A quoted one is shown with its whole section. If it is absent and a language model answers, up to 30. A model reads at most 6,000 characters of them.
                     * @default 5
                     */
                    top_k?: number | null;
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
                    document_ids?: string[] | null;
                    session_id?: string | null;
                    user?: {
                        user_id: string;
                        /** @description The lower-case hexadecimal HMAC-SHA256 of user_id with the workspace's identity secret as the key. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) that is signed with the identity secret. */
                    verification_token?: string | null;
                    /** @description Free context, such as page_url. It is stored with the question and does not influence the answer. At most 16 KB of JSON, otherwise `422 invalid_metadata`. */
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
            403: components["responses"]["Forbidden2"];
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
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids of the workspace.
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
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                workspace_id: string;
                channel?: "slack" | "discord" | "telegram" | "whatsapp" | "sms" | "voice" | "email" | "intercom" | "widget" | "hosted" | "api";
                status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived";
                /** @description Repeat the parameter for several tags: a conversation must have all of them. */
                tag?: string[];
                /** @description Returns conversations that started after this time. */
                since?: string;
                /** @description Returns conversations that started before this time. */
                until?: string;
                /** @description Returns conversations with a message, a change, a note or feedback at or after this time. When you poll, start one minute before your last request: a change can become visible shortly after its timestamp. */
                updated_since?: string;
                /** @description Words that one message of the conversation contains, in any form and order. */
                q?: string;
                /** @description The email address of the customer. */
                email?: string;
                /** @description A part of the name, address or phone number of the customer. */
                customer?: string;
                priority?: "low" | "normal" | "high" | "urgent";
                /** @description Whether the visitor waits for a person. */
                waiting?: "true" | "false";
                sla_state?: "in_compliance" | "at_risk" | "breached";
                /** @description The rating that the visitor gave to one of the answers. */
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
             * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
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
             * @description `workspace_access_denied`: The API key belongs to another owner than this workspace. Use a key of the workspace.
             *
             *     `feature_not_in_plan`: The plan of this workspace does not include API access. Upgrade to Starter or higher.
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
            /** @description `workspace_not_found`: The workspace does not exist. Check its id. */
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
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_channel`: channel must be one of the documented values.
             *
             *     `invalid_status`: status must be one of the documented values.
             *
             *     `invalid_tag`: tag must be 1 to 64 characters long.
             *
             *     `invalid_since`: since must be an ISO 8601 time.
             *
             *     `invalid_until`: until must be an ISO 8601 time.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_q`: q must be 1 to 1,000 characters long.
             *
             *     `invalid_email`: email must be an email address.
             *
             *     `invalid_customer`: customer must be an object with email, name and phone, each a string or null; as a filter, a string of 1 to 200 characters.
             *
             *     `invalid_priority`: priority must be "low", "normal", "high" or "urgent".
             *
             *     `invalid_waiting`: waiting must be "true" or "false".
             *
             *     `invalid_sla_state`: sla_state must be "in_compliance", "at_risk" or "breached".
             *
             *     `invalid_feedback`: feedback must be "up" or "down".
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
                        code: "invalid_limit" | "invalid_cursor" | "invalid_channel" | "invalid_status" | "invalid_tag" | "invalid_since" | "invalid_until" | "invalid_body" | "invalid_q" | "invalid_email" | "invalid_customer" | "invalid_priority" | "invalid_waiting" | "invalid_sla_state" | "invalid_feedback";
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
             * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_json`: The body is not valid JSON. Check its syntax.
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
                    /** @description Replaces all existing tags. */
                    tags?: string[] | null;
                    /** @enum {string|null} */
                    priority?: "low" | "normal" | "high" | "urgent" | null;
                    /** @description Appended to the existing notes. */
                    internal_notes?: {
                        content: string;
                        /** @description The email address of the acting agent. Replaces the name of the API key as the author. */
                        author_email?: string | null;
                    }[] | null;
                    /** @description Contact details of the customer. Null deletes a value. */
                    customer?: {
                        email?: string | null;
                        name?: string | null;
                        phone?: string | null;
                    } | null;
                    /** @description When a snoozed conversation opens again. Required if status is snoozed. */
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
             *     `invalid_status`: status must be one of the documented values.
             *
             *     `invalid_tags`: tags must be an array of at most 50 strings, each 1 to 64 characters long.
             *
             *     `invalid_priority`: priority must be "low", "normal", "high" or "urgent".
             *
             *     `invalid_internal_notes`: internal_notes must be an array of objects with content and, optionally, author_email.
             *
             *     `invalid_customer`: customer must be an object with email, name and phone, each a string or null; as a filter, a string of 1 to 200 characters.
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
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description asc returns the oldest first. */
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
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
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
                    /** @description Null removes the rating and its comment. */
                    value: ("up" | "down") | null;
                    /** @description A comment in the visitor's own words. If it is left out, an earlier comment on the same value is kept. */
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
             * @description `conversation_not_found`: The conversation does not exist. Check the conversation_id.
             *
             *     `message_not_found`: The conversation has no answer with this id. Check the message_id.
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
                    /** @description The email address of the acting agent. Replaces the name of the API key as the author. */
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
             *     `invalid_author_email`: author_email must be an email address.
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
                        /** @description The URL for questions. */
                        ask_url: string;
                        /** @description The URL of the Model Context Protocol server. Absent unless the owner has enabled it. */
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
                /** @description The site that the question is sent from. Logged only. */
                site?: string;
                /** @description ISO 639-1 code. Defaults to the language of the question. */
                locale?: string;
                /** @description Earlier questions, oldest first. */
                prev?: string[] | string;
                /** @description The question rewritten so that it is complete without the earlier ones. Replaces query. */
                decontextualized_query?: string;
                query_id?: string;
                /** @description list (default) returns matching passages, summarize adds a summary, and generate returns an answer. */
                mode?: string;
                /** @description An alias of mode that many clients use. */
                generate_mode?: string;
                /** @description true (default) returns server-sent events. */
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
            /** @description The answer in the format of the NLWeb protocol. */
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
             * @description `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `message_too_long`: The query is longer than 4,000 characters. Shorten it and send the request again.
             *
             *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
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
             *     `invalid_locale`: locale must be an ISO 639-1 language code.
             *
             *     `invalid_prev`: prev must be a string or an array of strings.
             *
             *     `invalid_decontextualized_query`: decontextualized_query must be a string of at most 4,000 characters.
             *
             *     `invalid_query_id`: query_id must be a string of at most 200 characters.
             *
             *     `invalid_mode`: mode must be "list", "summarize" or "generate".
             *
             *     `invalid_generate_mode`: generate_mode must be "list", "summarize" or "generate".
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
                    /** @description A string, or an object as NLWeb clients since version 0.5 send it. */
                    query: string | ({
                        text: string;
                        decontextualized_query?: string | null;
                        /** @description Logged only. The URL determines the workspace. */
                        site?: string | string[] | null;
                        max_results?: number | null;
                        min_score?: number | null;
                    } & {
                        [key: string]: unknown;
                    });
                    /** @description The site that the question is sent from. Logged only. */
                    site?: string | null;
                    /** @description ISO 639-1 code. Defaults to the language of the question. */
                    locale?: string | null;
                    /**
                     * @description Earlier turns, oldest first. To continue a thread, send its conversation_id as an item: {"role": "conversation_id", "content": "conv_…"}, an object with the property conversation_id, or just the id.
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
                    /** @description The question rewritten so that it is complete without the earlier ones. Replaces query. */
                    decontextualized_query?: string | null;
                    query_id?: string | null;
                    /** @description list (default) returns matching passages, summarize adds a summary, and generate returns an answer. */
                    mode?: string | null;
                    /** @description An alias of mode that many clients use. */
                    generate_mode?: string | null;
                    /** @description true (default) returns server-sent events. */
                    streaming?: (boolean | number | string) | null;
                    context?: ({
                        /** @description Earlier questions, oldest first. */
                        prev?: string[] | string | null;
                        /** @description The topic of the question, in a sentence. */
                        text?: string | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    prefer?: ({
                        /** @description true (default) returns server-sent events, false one JSON object. */
                        streaming?: (boolean | number | string) | null;
                        /** @description conv_search returns `results`. chatgpt_app returns `content` and `structuredData`. Defaults to all of them. */
                        response_format?: string | null;
                        mode?: string | null;
                        "accept-language"?: string | null;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                    meta?: ({
                        /** @description The session_context of an earlier answer, to continue its conversation. */
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
            /** @description The answer, in the format of the request: the documented one, NLWeb if a parameter of that protocol is sent, or NLWeb since 0.5 if query is an object. */
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
             * @description `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `message_too_long`: The query is longer than 4,000 characters. Shorten it and send the request again.
             *
             *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_json`: The body is not valid JSON. Check its syntax.
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
             *     `invalid_locale`: locale must be an ISO 639-1 language code.
             *
             *     `invalid_previous_responses`: previous_responses must be an array of objects with role and content.
             *
             *     `invalid_prev`: prev must be a string or an array of strings.
             *
             *     `invalid_decontextualized_query`: decontextualized_query must be a string of at most 4,000 characters.
             *
             *     `invalid_query_id`: query_id must be a string of at most 200 characters.
             *
             *     `invalid_mode`: mode must be "list", "summarize" or "generate".
             *
             *     `invalid_generate_mode`: generate_mode must be "list", "summarize" or "generate".
             *
             *     `invalid_streaming`: streaming must be true or false.
             *
             *     `invalid_context`: context must be an object; its fields prev and text are optional.
             *
             *     `invalid_prefer`: prefer must be an object; its fields streaming, response_format and mode are optional.
             *
             *     `invalid_meta`: meta must be an object; its field session_context is optional.
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
    getMe: {
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
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    language?: string | null;
                    time_zone?: string | null;
                    /** @enum {string|null} */
                    theme?: "auto" | "light" | "dark" | null;
                    keys_enabled?: boolean | null;
                    notifications?: {
                        /** @default false */
                        browser?: boolean | null;
                        /** @default false */
                        sound?: boolean | null;
                        /**
                         * @default [
                         *       "waiting",
                         *       "mine"
                         *     ]
                         */
                        views?: string[] | null;
                    } | null;
                    own_keys?: {
                        [key: string]: string | null;
                    } | null;
                    email_digest?: boolean | null;
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
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["BadRequest3"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["MemberNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_language`: language must be a language code such as "en", or null.
             *
             *     `invalid_time_zone`: time_zone must be a time zone such as "Europe/Berlin", or null.
             *
             *     `invalid_theme`: theme must be "auto", "light" or "dark".
             *
             *     `reserved_name`: name is reserved for the product. Choose another.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_name" | "invalid_language" | "invalid_time_zone" | "invalid_theme" | "reserved_name";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listMySessions: {
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
                        sessions: components["schemas"]["PersonSession"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    endMySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
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
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description `session_not_found`: The session does not exist, or has ended. Check its id. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "session_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
                    /** @description Defaults to a new owner. */
                    owner?: string | null;
                    settings?: {
                        nlweb_enabled?: boolean | null;
                        mcp_enabled?: boolean | null;
                        description?: string | null;
                        fallback_message?: string | null;
                        fallback_messages?: {
                            [key: string]: string;
                        } | null;
                        disclosure_enabled?: boolean | null;
                        disclosure_message?: string | null;
                        disclosure_messages?: {
                            [key: string]: string;
                        } | null;
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
                        embedding_model?: string | null;
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
                        answer_from?: number | null;
                        maybe_from?: number | null;
                        escalate_after_fallbacks?: number | null;
                        ask_for_rating?: boolean | null;
                        handover?: {
                            /** @enum {string|null} */
                            assignment?: "none" | "round_robin" | "least_busy" | null;
                            return_after_minutes?: number | null;
                        } | null;
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
                            fallback_messages?: {
                                [key: string]: string;
                            };
                            disclosure_enabled?: boolean;
                            disclosure_message?: string;
                            disclosure_messages?: {
                                [key: string]: string;
                            };
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
                            embedding_model?: string;
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
                            answer_from?: number;
                            maybe_from?: number;
                            escalate_after_fallbacks?: number;
                            ask_for_rating?: boolean;
                            handover?: {
                                /** @enum {string} */
                                assignment?: "none" | "round_robin" | "least_busy";
                                return_after_minutes?: number;
                            };
                        };
                        /** @description The token for browsers. It gives access to the widget only. */
                        public_token: string;
                        /** Format: date-time */
                        created_at: string;
                        /** @description The secret that signs identities. It is shown only once. */
                        identity_secret: string;
                    };
                };
            };
            400: components["responses"]["BadRequest3"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description `owner_not_found`: The owner does not exist. Check its name. */
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
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_plan`: plan must be "free", "starter", "growth", "business" or "enterprise".
             *
             *     `invalid_owner`: owner must be a string of 1 to 100 characters.
             *
             *     `invalid_settings`: settings contains an invalid value.
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description answer: messages from visitors. deliver: messages that are sent to them. */
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
            403: components["responses"]["Forbidden"];
            /** @description `queue_not_found`: This queue does not exist or stores no failed jobs. Only the queues answer and deliver do. */
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
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description answer: messages from visitors. deliver: messages that are sent to them. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Limits the retry to this channel. Defaults to all channels. */
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
            403: components["responses"]["Forbidden"];
            /**
             * @description `queue_not_found`: This queue does not exist or stores no failed jobs. Only the queues answer and deliver do.
             *
             *     `channel_not_found`: The channel does not exist. Check its id.
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
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listChannelKinds: {
        parameters: {
            query?: {
                /** @description The name of the new channel. It stands in the texts to paste on the platform. */
                name?: string;
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
                        kinds: components["schemas"]["ChannelKind"][];
                        /** @description The address at which platforms reach this installation: PUBLIC_URL. */
                        public_url: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /** @description `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_name";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listSourceKinds: {
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
                        kinds: components["schemas"]["SourceKind"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    examineInstallation: {
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
                        findings: components["schemas"]["Finding"][];
                    };
                };
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
            403: components["responses"]["Forbidden3"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `encryption_key_configured`: ENCRYPTION_KEY is set, so the key is managed in the environment. Set ENCRYPTION_KEY to the new key and ENCRYPTION_KEY_PREVIOUS to the old one, restart every process, then reseal.
             *
             *     `encryption_key_shared`: Other processes may use the key in DATA_DIR. Set ENCRYPTION_KEY to a new key and ENCRYPTION_KEY_PREVIOUS to the one in DATA_DIR/encryption-key, restart every process, then reseal.
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
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listPersons: {
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
                        persons: components["schemas"]["InstallationPerson"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createBeginLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
                        /** @description The link that works once. It is shown only here. */
                        link: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `already_begun`: The installation has people who can sign in. Create a link for one of them with `parley person link`.
             *
             *     `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "already_begun" | "no_public_address";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createPersonLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
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
                        /** @description The link that works once. It is shown only here. */
                        link: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["BadRequest4"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["MemberNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["NoPublicAddress"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    removePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
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
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["MemberNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                        fallback_messages?: {
                            [key: string]: string;
                        } | null;
                        disclosure_enabled?: boolean | null;
                        disclosure_message?: string | null;
                        disclosure_messages?: {
                            [key: string]: string;
                        } | null;
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
                        embedding_model?: string | null;
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
                        answer_from?: number | null;
                        maybe_from?: number | null;
                        escalate_after_fallbacks?: number | null;
                        ask_for_rating?: boolean | null;
                        handover?: {
                            /** @enum {string|null} */
                            assignment?: "none" | "round_robin" | "least_busy" | null;
                            return_after_minutes?: number | null;
                        } | null;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `plan_downgrade_blocked`: The plan cannot be downgraded before the end of the billing cycle. Try again in the next cycle. */
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
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_plan`: plan must be "free", "starter", "growth", "business" or "enterprise".
             *
             *     `invalid_settings`: settings contains an invalid value.
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
    getSettingsSchema: {
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
                        /** @enum {string} */
                        type: "object";
                        properties: {
                            [key: string]: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getIdentitySecret: {
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
                        /** @description When the old secret expires after a rotation. Null if only one secret is valid. */
                        previous_valid_until: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getUsage: {
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
                        /** @enum {string} */
                        plan: "free" | "starter" | "growth" | "business" | "enterprise";
                        /**
                         * Format: date
                         * @description The first day of the month.
                         */
                        month: string;
                        /** Format: date-time */
                        resets_at: string;
                        /** @description Of all workspaces of the owner. */
                        messages: number;
                        /** @description Null: unlimited. */
                        quota: number | null;
                        /** @description Messages at the end of the month at the pace so far. Null on its first day. */
                        forecast: number | null;
                        by_channel: {
                            channel: string;
                            answers: number;
                        }[];
                        by_day: {
                            /** Format: date */
                            day: string;
                            answers: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getAnswerProbabilities: {
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
                        /** Format: date-time */
                        since: string;
                        answers: number;
                        /** @description The number of answers in each twentieth between 0 and 1, lowest first. */
                        bins: number[];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getAnswerCorrection: {
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
                    "application/json": components["schemas"]["AnswerCorrection"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    useAnswerCorrection: {
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
                     * Format: date-time
                     * @description Of the offer, as it was read.
                     */
                    offered_at: string;
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
                    "application/json": components["schemas"]["AnswerCorrection"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound2"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteAnswerCorrection: {
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
                    "application/json": components["schemas"]["AnswerCorrection"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    fitAnswerCorrection: {
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
                    /** @default false */
                    offer?: boolean | null;
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
                        /** @description Null with fewer than 40 judged answers, or if all were judged alike. */
                        fit: {
                            /** @description Multiplies the log-odds of a probability. */
                            slope: number;
                            /** @description Is added to them. */
                            offset: number;
                            /** @description The number of judged answers that it rests on. */
                            judged: number;
                            /** @description The mean probability with which these answers are shown now. */
                            before: number;
                            /** @description Their mean probability with the correction, each fitted without the answer itself. */
                            after: number;
                            /** @description The share of them that helped. */
                            helped: number;
                            log_loss_before: number;
                            /** @description Of answers held out. */
                            log_loss_after: number;
                            bins: {
                                from: number;
                                to: number;
                                answers: number;
                                /** @description Null without answers, as are `after` and `helped`. */
                                before: number | null;
                                after: number | null;
                                helped: number | null;
                            }[];
                            /** @description Whether it is better by the margin. */
                            is_better: boolean;
                        } | null;
                        offered: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    declineAnswerCorrection: {
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
                     * Format: date-time
                     * @description Of the offer, as it was read.
                     */
                    offered_at: string;
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
                    "application/json": components["schemas"]["AnswerCorrection"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound2"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listSnippets: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description Returns snippets whose name or text contains this. */
                q?: string;
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
                        snippets: components["schemas"]["Snippet"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_q`: q must be 1 to 1,000 characters long.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_q";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createSnippet: {
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
                 *       "name": "returns",
                 *       "text": "You can return a box within 30 days.",
                 *       "tags": [
                 *         "returns"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description What agents type to find it. It must be unique in the workspace. */
                    name: string;
                    /** @description The text that goes into the reply. */
                    text: string;
                    /**
                     * @description Tags that the conversation gets with it.
                     * @default []
                     */
                    tags?: string[] | null;
                    actions?: {
                        /** @enum {string|null} */
                        status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                        /** @enum {string|null} */
                        priority?: "low" | "normal" | "high" | "urgent" | null;
                        /** @description The id of a person, or `me`, or `none` for the queue. */
                        assign?: string | null;
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
                    "application/json": components["schemas"]["Snippet"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["SnippetNameTaken"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteSnippet: {
        parameters: {
            query?: {
                /** @description With true the deletion can be taken back for a minute. */
                restorable?: "true" | "false";
            };
            header?: never;
            path: {
                workspace_id: string;
                snippet_id: string;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound3"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidRestorable"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateSnippet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                snippet_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What agents type to find it. It must be unique in the workspace. */
                    name?: string | null;
                    /** @description The text that goes into the reply. */
                    text?: string | null;
                    /** @description Tags that the conversation gets with it. */
                    tags?: string[] | null;
                    /** @description Changes that the conversation gets with it. */
                    actions?: {
                        /** @enum {string|null} */
                        status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                        /** @enum {string|null} */
                        priority?: "low" | "normal" | "high" | "urgent" | null;
                        /** @description The id of a person, or `me`, or `none` for the queue. */
                        assign?: string | null;
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
                    "application/json": components["schemas"]["Snippet"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound3"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["SnippetNameTaken"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    restoreSnippet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                snippet_id: string;
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
                    "application/json": components["schemas"]["Snippet"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound3"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["SnippetNameTaken"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listTags: {
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
                        tags: {
                            tag: string;
                            conversations: number;
                            /** @description Those that are neither resolved nor archived. */
                            open: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    renameTag: {
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
                 *       "from": "refund",
                 *       "to": "returns"
                 *     }
                 */
                "application/json": {
                    from: string;
                    to: string;
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
                        /** @description The number that had the tag. */
                        conversations: number;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound4"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    removeTag: {
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
                 *       "tag": "refund",
                 *       "restorable": true
                 *     }
                 */
                "application/json": {
                    tag: string;
                    /** @default false */
                    restorable?: boolean | null;
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
                        /** @description The number of conversations that were changed. */
                        conversations: number;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound4"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_tag`: tag must be 1 to 64 characters long.
             *
             *     `invalid_restorable`: restorable must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_tag" | "invalid_restorable";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    restoreTag: {
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
                 *       "tag": "refund"
                 *     }
                 */
                "application/json": {
                    tag: string;
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
                        /** @description The number of conversations that were changed. */
                        conversations: number;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound4"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_tag`: tag must be 1 to 64 characters long.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_tag";
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
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description true returns the revoked keys in place of the others. */
                revoked?: "true" | "false";
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_body`: The body must be a JSON object.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_body";
                    };
                };
            };
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
                        /** @description When the old value expires after a rotation. Null if only one value is valid. */
                        previous_valid_until: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description The name of the person who made it, or `operator`. */
                        created_by: string;
                        /** @description To the minute. Null if it never was. */
                        last_used_at: string | null;
                        revoked_at: string | null;
                        /** @description Outcomes of the last 30 days, oldest first, without days that have none. */
                        days: {
                            /**
                             * Format: date
                             * @description In UTC.
                             */
                            day: string;
                            /** @description Requests that succeeded, but for answers with low confidence. */
                            answered: number;
                            /** @description Answers with low confidence. */
                            low: number;
                            /** @description Requests that failed, or that the client gave up. */
                            errors: number;
                            /** @description Requests that a rate limit or the quota refused. */
                            limited: number;
                        }[];
                        /** @description The API key. It is shown only once. */
                        key: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity3"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateKey: {
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
                /**
                 * @example {
                 *       "rate_limit_minute": 120
                 *     }
                 */
                "application/json": {
                    name?: string | null;
                    rate_limit_minute?: number | null;
                    rate_limit_day?: number | null;
                    /** @description Null: the key does not expire. */
                    expires_at?: string | null;
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
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity3"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    restoreKey: {
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
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description Only documents with this text in their title, URL or file name. */
                q?: string;
                status?: "queued" | "indexing" | "indexed" | "failed";
                /** @description An audience tag, or * for documents that everybody may read. */
                audience?: string;
                /** @description Only documents of this source. */
                source_id?: string;
                /** @description Last changed first, most answers first, or highest share of thumbs down first. */
                sort?: "updated" | "answers" | "disliked";
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
                        documents: components["schemas"]["ListedDocument"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_q`: q must be 1 to 1,000 characters long.
             *
             *     `invalid_status`: status must be one of the documented values.
             *
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_sort`: sort must be "latest", "waiting" or "sla_due".
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_q" | "invalid_status" | "invalid_audience" | "invalid_body" | "invalid_sort";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    addDocument: {
        parameters: {
            query?: {
                /** @description true returns the response after indexing has succeeded or failed. */
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
                     * @description Replaces a document with the same URL.
                     */
                    url?: string | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /** @description The text of the document. Required if there is no file. */
                    content?: string | null;
                    /** @enum {string|null} */
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV; with OCR also PNG, JPEG, TIFF and WebP.
                     */
                    file?: string | null;
                };
                "multipart/form-data": {
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
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV; with OCR also PNG, JPEG, TIFF and WebP.
                     */
                    file?: string | null;
                };
            };
        };
        responses: {
            /** @description With wait: the document is indexed or failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description The document is queued for indexing. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_wait`: wait must be "true" or "false".
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_title`: title must be a string of 1 to 500 characters.
             *
             *     `invalid_url`: url must be an http or https URL of at most 2,000 characters.
             *
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_content_type`: content_type must be "text/plain", "text/markdown" or "text/html".
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                /** @description With true the deletion can be taken back for a minute. */
                restorable?: "true" | "false";
            };
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidRestorable"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    changeDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string | null;
                    /** @description The address for readers; null removes it. */
                    url?: string | null;
                    audience?: string[] | null;
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
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["DocumentExists"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_title`: title must be a string of 1 to 500 characters.
             *
             *     `invalid_url`: url must be an http or https URL of at most 2,000 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_audience" | "invalid_body" | "invalid_title" | "invalid_url";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    countDocuments: {
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
                        documents: number;
                        statuses: {
                            queued: number;
                            indexing: number;
                            indexed: number;
                            failed: number;
                        };
                        /** @description Documents whose newest content is not in the index yet: queued and indexing. */
                        waiting: {
                            documents: number;
                            /** @description Null if none waits. */
                            oldest_at: string | null;
                        };
                        chunks: number;
                        bytes: number;
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    readDocumentContent: {
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
                    "application/json": {
                        document_id: string;
                        text: string;
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    replaceDocumentContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    content?: string | null;
                    /** @enum {string|null} */
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV; with OCR also PNG, JPEG, TIFF and WebP.
                     */
                    file?: string | null;
                };
                "multipart/form-data": {
                    content?: string | null;
                    /** @enum {string|null} */
                    content_type?: "text/plain" | "text/markdown" | "text/html" | null;
                    /**
                     * Format: binary
                     * @description PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV; with OCR also PNG, JPEG, TIFF and WebP.
                     */
                    file?: string | null;
                };
            };
        };
        responses: {
            /** @description Accepted */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_content_type`: content_type must be "text/plain", "text/markdown" or "text/html".
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
                        code: "invalid_body" | "invalid_content" | "invalid_content_type" | "invalid_file";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listDocumentPassages: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
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
                    "application/json": {
                        passages: {
                            /** @description The position in the document, from 0. */
                            ordinal: number;
                            /** @description The headings above it, outermost first; without the title. */
                            headings: string[];
                            /** @description Markdown. */
                            body: string;
                            /** @description Characters of the body. */
                            length: number;
                        }[];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    reindexDocument: {
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
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `document_content_gone`: The content of this document was not kept. Replace it with the file or the text. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "document_content_gone";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    restoreDocument: {
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
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["DocumentExists"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    addPage: {
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
                    title?: string | null;
                    /**
                     * Format: uri
                     * @description Replaces a document with the same URL.
                     */
                    url: string;
                    /** @default [] */
                    audience?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `page_unavailable`: The page cannot be read. Check that its address opens in a browser without signing in.
             *
             *     `list_of_pages`: This address is a list of pages: a sitemap or a feed. Add it as a website source, which reads its pages and keeps them in step.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_title`: title must be a string of 1 to 500 characters.
             *
             *     `invalid_url`: url must be an http or https URL of at most 2,000 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_audience" | "page_unavailable" | "list_of_pages" | "invalid_body" | "invalid_title" | "invalid_url";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    addDemoDocuments: {
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
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        documents: components["schemas"]["Document"][];
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    changeDocuments: {
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
                    ids: string[];
                    /** @enum {string} */
                    action: "delete" | "restore" | "reindex" | "set_audience";
                    /**
                     * @description For set_audience. Empty: everybody.
                     * @default []
                     */
                    audience?: string[] | null;
                    /**
                     * @description For delete: the documents can be restored for a minute.
                     * @default false
                     */
                    restorable?: boolean | null;
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
                        results: {
                            id: string;
                            ok: boolean;
                            /** @description Why it was not done. */
                            error: {
                                code: string;
                                detail: string;
                            } | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_ids`: ids must be an array of 1 to 100 document ids, or 1 to 1,000 conversation ids.
             *
             *     `invalid_action`: action must be one of the documented values.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_restorable`: restorable must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_audience" | "invalid_ids" | "invalid_action" | "invalid_body" | "invalid_restorable";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listFactConflicts: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                status?: "open" | "dismissed" | "resolved";
                kind?: "number" | "date" | "time" | "duration" | "percent" | "yes-no" | "past";
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
                        conflicts: components["schemas"]["FactConflict"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_status`: status must be one of the documented values.
             *
             *     `invalid_kind`: kind must be a kind of source.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_status" | "invalid_kind";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    changeFactConflict: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conflict_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status: "open" | "dismissed";
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
                    "application/json": components["schemas"]["FactConflict"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `fact_conflict_not_found`: The contradiction does not exist, or its document was deleted.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "fact_conflict_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_status`: status must be one of the documented values.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_status";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listSources: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
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
                        sources: components["schemas"]["KnowledgeSource"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createSource: {
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
                 *       "name": "Handbook",
                 *       "kind": "folder",
                 *       "settings": {
                 *         "path": "/srv/handbook"
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description The kind, such as website. */
                    kind: string;
                    /**
                     * @description The settings of the kind, as its JSON schema has them.
                     * @default {}
                     */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description They are encrypted and never returned.
                     * @default {}
                     */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description Who may read the documents, unless the tool says it for each. Empty: everybody.
                     * @default []
                     */
                    audience?: string[] | null;
                    /**
                     * @description Only addresses that match one of these are read. `/docs/**` is compared with the path, `*.pdf` with its end, `https://docs.acme.example/**` with the whole address. `*` is anything within a part of the path, `**` anything.
                     * @default []
                     */
                    include?: string[] | null;
                    /**
                     * @description Addresses that match one of these are not read.
                     * @default []
                     */
                    exclude?: string[] | null;
                    /**
                     * @description A run reads no more items than these.
                     * @default 2000
                     */
                    max_items?: number | null;
                    /**
                     * @description Minutes from one run to the next. Null: runs are started by hand only.
                     * @default 1440
                     */
                    schedule_minutes?: number | null;
                    /**
                     * @description Whether the first run starts at once.
                     * @default true
                     */
                    run?: boolean | null;
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
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `too_many_sources`: This workspace has 100 sources, which is the maximum. Delete one first. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "too_many_sources";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `unknown_source_kind`: This kind of source does not exist. Check the field kind.
             *
             *     `source_kind_unavailable`: This installation does not offer this kind of source.
             *
             *     `invalid_settings`: settings contains an invalid value.
             *
             *     `invalid_credentials`: credentials must be an object with the credentials that the channel or source requires.
             *
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_kind`: kind must be a kind of source.
             *
             *     `invalid_include`: include must be an array of at most 100 patterns such as "/docs/**".
             *
             *     `invalid_exclude`: exclude must be an array of at most 100 patterns such as "*.pdf".
             *
             *     `invalid_max_items`: max_items must be an integer from 1 to 20,000.
             *
             *     `invalid_schedule_minutes`: schedule_minutes must be an integer from 15 to 43,200, or null.
             *
             *     `invalid_run`: run must be true or false.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_source_kind" | "source_kind_unavailable" | "invalid_settings" | "invalid_credentials" | "invalid_audience" | "invalid_body" | "invalid_name" | "invalid_kind" | "invalid_include" | "invalid_exclude" | "invalid_max_items" | "invalid_schedule_minutes" | "invalid_run";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    previewSource: {
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
                    /** @description A stored source, with its settings and credentials. Otherwise kind and settings are needed. */
                    source_id?: string | null;
                    kind?: string | null;
                    /** @description The settings of the kind, as its JSON schema has them. */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description They are encrypted and never returned. */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Only addresses that match one of these are read. `/docs/**` is compared with the path, `*.pdf` with its end, `https://docs.acme.example/**` with the whole address. `*` is anything within a part of the path, `**` anything. */
                    include?: string[] | null;
                    /** @description Addresses that match one of these are not read. */
                    exclude?: string[] | null;
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
                    "application/json": components["schemas"]["SourcePreview"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `unknown_source_kind`: This kind of source does not exist. Check the field kind.
             *
             *     `source_kind_unavailable`: This installation does not offer this kind of source.
             *
             *     `invalid_settings`: settings contains an invalid value.
             *
             *     `invalid_credentials`: credentials must be an object with the credentials that the channel or source requires.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_kind`: kind must be a kind of source.
             *
             *     `invalid_include`: include must be an array of at most 100 patterns such as "/docs/**".
             *
             *     `invalid_exclude`: exclude must be an array of at most 100 patterns such as "*.pdf".
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_source_kind" | "source_kind_unavailable" | "invalid_settings" | "invalid_credentials" | "invalid_body" | "invalid_kind" | "invalid_include" | "invalid_exclude";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteSource: {
        parameters: {
            query?: {
                documents?: "keep" | "delete";
            };
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /** @description `invalid_documents`: documents must be "keep" or "delete". */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_documents";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    changeSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @description The settings of the kind, as its JSON schema has them. */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Replaces all credentials; null removes them. They are encrypted and never returned. */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Who may read the documents, unless the tool says it for each. Empty: everybody. */
                    audience?: string[] | null;
                    /** @description Only addresses that match one of these are read. `/docs/**` is compared with the path, `*.pdf` with its end, `https://docs.acme.example/**` with the whole address. `*` is anything within a part of the path, `**` anything. */
                    include?: string[] | null;
                    /** @description Addresses that match one of these are not read. */
                    exclude?: string[] | null;
                    /** @description A run reads no more items than these. */
                    max_items?: number | null;
                    /** @description Minutes from one run to the next. Null: runs are started by hand only. */
                    schedule_minutes?: number | null;
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
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_settings`: settings contains an invalid value.
             *
             *     `invalid_credentials`: credentials must be an object with the credentials that the channel or source requires.
             *
             *     `credentials_required`: The settings name a new address, and stored credentials are not sent there. Send the credentials again in this request.
             *
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_include`: include must be an array of at most 100 patterns such as "/docs/**".
             *
             *     `invalid_exclude`: exclude must be an array of at most 100 patterns such as "*.pdf".
             *
             *     `invalid_max_items`: max_items must be an integer from 1 to 20,000.
             *
             *     `invalid_schedule_minutes`: schedule_minutes must be an integer from 15 to 43,200, or null.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_settings" | "invalid_credentials" | "credentials_required" | "invalid_audience" | "invalid_body" | "invalid_name" | "invalid_include" | "invalid_exclude" | "invalid_max_items" | "invalid_schedule_minutes";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    runSource: {
        parameters: {
            query?: {
                /** @description Reads every item again without conditions, whatever its version or date says. */
                full?: "true" | "false";
            };
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `source_paused`: This source is paused. Resume it first.
             *
             *     `source_running`: This source is being read already. Wait until the run has ended, or cancel it.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "source_paused" | "source_running";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    cancelSourceRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `source_not_running`: No run of this source is going. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "source_not_running";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    applySourceChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `source_not_held`: Nothing of this source is held: somebody has decided, or a later run was plausible.
             *
             *     `source_running`: This source is being read already. Wait until the run has ended, or cancel it.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "source_not_held" | "source_running";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    discardSourceChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `source_not_held`: Nothing of this source is held: somebody has decided, or a later run was plausible. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "source_not_held";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    pauseSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    resumeSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listSourceRuns: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                        runs: components["schemas"]["SourceRun"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listSourceItems: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                state?: "waiting" | "current" | "skipped" | "failed" | "gone";
                /** @description Only items with this code. */
                code?: string;
                /** @description Only items that this run was the last to find. */
                run_id?: string;
                /** @description Only items with this text in their key, address or title. */
                q?: string;
            };
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                        items: components["schemas"]["SourceItem"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_state`: state must be one of the documented values.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_q`: q must be 1 to 1,000 characters long.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_state" | "invalid_body" | "invalid_q";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getSourceLedger: {
        parameters: {
            query: {
                /** @description The key of the item. */
                key: string;
            };
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["SourceLedger"];
                };
            };
            /**
             * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing. Add it and send the request again.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "malformed_request" | "invalid_workspace_id" | "missing_field";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `source_not_found`: The source does not exist. Check its id.
             *
             *     `source_item_not_found`: The source has no such item. Check the key.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "source_not_found" | "source_item_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listSourceRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                        rules: components["schemas"]["SourceRule"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createSourceRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "https://acme.example/hours",
                 *       "block": "bCk3oV1wq9aXy",
                 *       "action": "keep"
                 *     }
                 */
                "application/json": {
                    /** @description The key of the item. */
                    key: string;
                    /** @description The hash of the block. */
                    block: string;
                    /** @enum {string} */
                    action: "keep" | "cut";
                    /**
                     * @description Whether the rule is for this page, or for the block on all pages of the source.
                     * @default this
                     * @enum {string|null}
                     */
                    pages?: "this" | "all" | null;
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
                    "application/json": components["schemas"]["SourceRule"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `source_not_found`: The source does not exist. Check its id.
             *
             *     `source_item_not_found`: The source has no such item. Check the key.
             *
             *     `source_block_not_found`: The page has no such block any more. Load its ledger again.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "source_not_found" | "source_item_not_found" | "source_block_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            /** @description `too_many_source_rules`: This source has 500 rules, which is the maximum. Remove one first. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "too_many_source_rules";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_action`: action must be one of the documented values.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_action";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteSourceRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
                rule_id: string;
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
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `source_not_found`: The source does not exist. Check its id.
             *
             *     `source_rule_not_found`: The source has no such rule. Check its id.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "source_not_found" | "source_rule_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    nameSourceChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "addresses": [
                 *         "https://acme.example/help/returns"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Addresses of pages, as visitors open them.
                     * @default []
                     */
                    addresses?: string[] | null;
                    /**
                     * @description Keys of items, as the list of items has them.
                     * @default []
                     */
                    keys?: string[] | null;
                    /**
                     * @description The items were deleted. Each is read before: a document is removed only if its item does not exist.
                     * @default false
                     */
                    deleted?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceChangesTaken"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `source_paused`: This source is paused. Resume it first. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "source_paused";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            /**
             * @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
             *
             *     `too_many_changes`: More than 2,000 items of this source wait to be read. Start a run, which compares all of them.
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
                        code: "rate_limit_minute" | "too_many_changes";
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getSourceWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["SourceWebhook"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["SourceHookUnavailable"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    setUpSourceWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The secret that a person has copied from the tool.
                     * @example 5f2b8c0d9e1a4f7b6c3d
                     */
                    secret?: string | null;
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
                    "application/json": components["schemas"]["SourceWebhook"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `source_hook_unavailable`: Tools of this kind send no webhooks to Parley. Name changes with the operation for changed items.
             *
             *     `invalid_body`: The body must be a JSON object.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "source_hook_unavailable" | "invalid_body";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    removeSourceWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["SourceWebhook"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["SourceHookUnavailable"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    showSourceWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                source_id: string;
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
                    "application/json": components["schemas"]["SourceWebhook"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound7"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `hook_secret_not_sent`: The tool has sent no secret, or it was shown already. Set the webhook up again to get a new one. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "hook_secret_not_sent";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["SourceHookUnavailable"];
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
             * @description `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_json`: The body is not valid JSON. Check its syntax.
             *
             *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `message_too_long`: The query is longer than 4,000 characters. Shorten it and send the request again.
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_top_k`: top_k must be an integer from 1 to 20.
             *
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_document_ids`: document_ids must be an array of at most 100 document ids of the workspace.
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
    getRehearsalChoices: {
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
                    "application/json": components["schemas"]["RehearsalChoices"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    rehearseAnswer: {
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
                 *       "query": "Can I send a box back?"
                 *     }
                 */
                "application/json": {
                    query: string;
                    /**
                     * @description The conversation before the question, oldest first.
                     * @default []
                     */
                    turns?: {
                        question: string;
                        answer: string | null;
                    }[] | null;
                    /** @default [] */
                    audience?: string[] | null;
                    /**
                     * @description ISO 639-1. Null: the language of the question.
                     * @default null
                     */
                    language?: string | null;
                    /**
                     * @description `provider:model`, or `none`. Null: the workspace's own.
                     * @default null
                     */
                    model?: string | null;
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
                    "application/json": components["schemas"]["Rehearsal"];
                };
            };
            /**
             * @description `unknown_model`: This installation has no model with this name. Send one of its models, `none`, or leave model out.
             *
             *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_json`: The body is not valid JSON. Check its syntax.
             *
             *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `message_too_long`: The query is longer than 4,000 characters. Shorten it and send the request again.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_model" | "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field" | "message_too_long";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_language`: language must be a language code such as "en", or null.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_audience" | "invalid_body" | "invalid_query" | "invalid_language";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["UpstreamTimeout"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["RequestTimeout2"];
        };
    };
    listTestQuestions: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description Returns those with this newest outcome. */
                outcome?: "right" | "unsure" | "wrong" | "refused" | "error";
                /** @description Returns questions that contain this. */
                q?: string;
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
                        questions: components["schemas"]["TestQuestion"][];
                        /** @description All questions of the workspace. */
                        total: number;
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_q`: q must be 1 to 1,000 characters long.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_limit" | "invalid_cursor" | "invalid_body" | "invalid_q";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    storeTestQuestions: {
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
                 *       "questions": [
                 *         {
                 *           "question": "Is the shop open on Sunday?",
                 *           "accepted": [
                 *             "noon"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    questions: {
                        question: string;
                        /** @default [] */
                        audience?: string[] | null;
                        /**
                         * @description ISO 639-1. Null: the language of the question.
                         * @default null
                         */
                        language?: string | null;
                        /**
                         * @description nothing: the documents hold no answer, and saying so is right.
                         * @default answer
                         * @enum {string|null}
                         */
                        expects?: "answer" | "nothing" | null;
                        /**
                         * @description A right answer has one of these texts. Upper and lower case, spaces and punctuation do not matter.
                         * @default []
                         */
                        accepted?: string[] | null;
                        /**
                         * @description A right answer rests on this document. Counts without `accepted`.
                         * @default null
                         */
                        document_id?: string | null;
                        /**
                         * @description The heading in that document under which the answer stands. Null: any.
                         * @default null
                         */
                        section?: string | null;
                        /**
                         * @description An answer in your words. Counts without the others: a right answer has all its numbers and most of its words.
                         * @default null
                         */
                        said?: string | null;
                        /**
                         * @description right and wrong: a person judged an answer. upload: it came with a file.
                         * @default hand
                         * @enum {string|null}
                         */
                        origin?: "right" | "wrong" | "upload" | "hand" | null;
                    }[];
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
                        added: number;
                        changed: number;
                        /** @description In the order in which they were sent, each once. */
                        ids: string[];
                    };
                };
            };
            /**
             * @description `invalid_test_question`: Nothing tells whether an answer is right. Send accepted, document_id or said, or expects: "nothing".
             *
             *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_json`: The body is not valid JSON. Check its syntax.
             *
             *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
             *
             *     `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `message_too_long`: The query is longer than 4,000 characters. Shorten it and send the request again.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_test_question" | "malformed_request" | "invalid_json" | "invalid_workspace_id" | "missing_field" | "message_too_long";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound6"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `too_many_test_questions`: A workspace has at most 2,000 test questions. Delete some, or upload fewer. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "too_many_test_questions";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
             *
             *     `invalid_body`: The body must be a JSON object.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_audience" | "invalid_body";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteTestQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                question_id: string;
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
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `test_question_not_found`: The test question does not exist. Check its id.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "test_question_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listTestRuns: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
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
                        runs: components["schemas"]["TestRun"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    startTestRun: {
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
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `no_test_questions`: This workspace has no test questions. Add one first.
             *
             *     `test_running`: The test questions are being asked already. Wait for the run, or cancel it.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "no_test_questions" | "test_running";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getTestRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                run_id: string;
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
                    "application/json": components["schemas"]["TestRunResults"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound8"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    cancelTestRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                run_id: string;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound8"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description The position in `attachments` of the message, from 0. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound9"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            /** @description `attachment_unavailable`: The platform of the channel did not return the file. Retry with backoff. */
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
                /** @description The next_cursor of the previous page. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
            header?: {
                /** @description Identifies the request for 24 hours: a retry with the same key returns the same response and counts once. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace_id: string;
                conv_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The reply in Markdown. Required without `file_ids`. */
                    content?: string | null;
                    /**
                     * @description Ids of files that the caller uploaded in this conversation, at most 5.
                     * @default []
                     */
                    file_ids?: string[] | null;
                    /** @description The id of a reply, to send its text and files again. Then `content` and `file_ids` are absent. */
                    resend_of?: string | null;
                    /**
                     * Format: email
                     * @description The email address of the agent. Required with the operator token; a signed-in person can only state their own.
                     */
                    author_email?: string | null;
                    /** @description The last message that the agent has seen: if there are newer ones, nothing is sent. */
                    after_message_id?: string | null;
                    /**
                     * @description Resolves the conversation with the reply.
                     * @default false
                     */
                    resolve?: boolean | null;
                    /** @description What else changes with the reply. Nothing changes if the reply is refused, and nothing is sent if a change is. */
                    change?: {
                        /** @enum {string|null} */
                        status?: "open" | "claimed" | "escalated" | "snoozed" | "archived" | null;
                        /** @description Null returns it to the queue. */
                        assignee_id?: string | null;
                        /** @description Replaces all existing tags. */
                        tags?: string[] | null;
                        /** @enum {string|null} */
                        priority?: "low" | "normal" | "high" | "urgent" | null;
                        snooze_until?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentReply"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `conversation_not_found`: The conversation does not exist. Check the conversation_id.
             *
             *     `attachment_not_found`: The file does not exist, or its platform has deleted it.
             *
             *     `message_not_found`: The conversation has no answer with this id. Check the message_id.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found" | "attachment_not_found" | "message_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `channel_unreachable`: Nothing can be sent to this conversation: the channel is disabled, or the visitor blocked it or opted out.
             *
             *     `channel_window_closed`: The platform's reply window has closed. You can reply after the visitor's next message.
             *
             *     `conversation_moved_on`: There are newer messages, in new_messages. Read them, then send again with the id of the last one.
             *
             *     `duplicate_request_id`: This Idempotency-Key is in use by another request or was used with a different body. Use a new key for each new request.
             *
             *     `too_many_reply_files`: A reply takes at most 5 files, 25 MB together. Remove files.
             *
             *     `files_not_possible`: This channel cannot pass files on. Describe the file in words.
             *
             *     `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_unreachable" | "channel_window_closed" | "conversation_moved_on" | "duplicate_request_id" | "too_many_reply_files" | "files_not_possible" | "no_public_address";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_idempotency_key`: Idempotency-Key must be 1 to 255 characters long.
             *
             *     `invalid_assignee_id`: assignee_id must be a person who may reply in this workspace, or null.
             *
             *     `invalid_snooze_until`: snooze_until must be an ISO 8601 time in the future.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_author_email`: author_email must be an email address.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_idempotency_key" | "invalid_assignee_id" | "invalid_snooze_until" | "invalid_body" | "invalid_content" | "invalid_author_email";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listReplyFiles: {
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
                        files: components["schemas"]["AgentFile"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    uploadReplyFile: {
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
                "multipart/form-data": {
                    /** Format: binary */
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
                    "application/json": components["schemas"]["AgentFile"];
                };
            };
            400: components["responses"]["BadRequest8"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `too_many_reply_files`: A reply takes at most 5 files, 25 MB together. Remove files.
             *
             *     `files_not_possible`: This channel cannot pass files on. Describe the file in words.
             *
             *     `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "too_many_reply_files" | "files_not_possible" | "no_public_address";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity4"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteReplyFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
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
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `attachment_not_found`: The file does not exist, or its platform has deleted it.
             *
             *     `conversation_not_found`: The conversation does not exist. Check the conversation_id.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "attachment_not_found" | "conversation_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                        /** @description The number of sessions that were ended. */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    openConversation: {
        parameters: {
            query?: {
                /** @description With the latest changes. */
                audit?: "true" | "false";
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
                    "application/json": components["schemas"]["InboxConversation"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    changeConversation: {
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
                "application/json": {
                    /** @enum {string|null} */
                    status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                    /** @description Null returns it to the queue. */
                    assignee_id?: string | null;
                    /** @description Replaces all existing tags. */
                    tags?: string[] | null;
                    /** @enum {string|null} */
                    priority?: "low" | "normal" | "high" | "urgent" | null;
                    snooze_until?: string | null;
                    customer?: {
                        email?: string | null;
                        name?: string | null;
                        phone?: string | null;
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
                    "application/json": components["schemas"]["InboxConversation"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_status`: status must be one of the documented values.
             *
             *     `invalid_assignee_id`: assignee_id must be a person who may reply in this workspace, or null.
             *
             *     `invalid_tags`: tags must be an array of at most 50 strings, each 1 to 64 characters long.
             *
             *     `invalid_priority`: priority must be "low", "normal", "high" or "urgent".
             *
             *     `invalid_snooze_until`: snooze_until must be an ISO 8601 time in the future.
             *
             *     `invalid_customer`: customer must be an object with email, name and phone, each a string or null; as a filter, a string of 1 to 200 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_status" | "invalid_assignee_id" | "invalid_tags" | "invalid_priority" | "invalid_snooze_until" | "invalid_customer";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The next_cursor of the previous page. */
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
                        entries: components["schemas"]["TimelineEntry"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    markSeen: {
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
                 *       "position": 5
                 *     }
                 */
                "application/json": {
                    /** @description The position of the last message that was seen. Absent: the last one of all. -1: none. */
                    position?: number | null;
                    /** @default false */
                    back?: boolean | null;
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
                        position: number;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_position`: position must be the position of a message.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_position";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    writeNote: {
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
                 *       "content": "The customer called, too."
                 *     }
                 */
                "application/json": {
                    content: string;
                    /**
                     * @description Ids of people.
                     * @default []
                     */
                    mentions?: string[] | null;
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
                    "application/json": components["schemas"]["InboxNote"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity5"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
                note_id: string;
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
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound11"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    changeNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
                note_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "The customer called, too."
                 *     }
                 */
                "application/json": {
                    content: string;
                    /**
                     * @description Ids of people.
                     * @default []
                     */
                    mentions?: string[] | null;
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
                    "application/json": components["schemas"]["InboxNote"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden4"];
            404: components["responses"]["NotFound11"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity5"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    suggestReply: {
        parameters: {
            query?: {
                /** @description Answers anew what the visitor was told already. */
                again?: "true" | "false";
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
                    "application/json": components["schemas"]["Suggestion"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
            504: components["responses"]["RequestTimeout2"];
        };
    };
    saveDraft: {
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
                 *       "content": "Your parcel is",
                 *       "base_updated_at": null
                 *     }
                 */
                "application/json": {
                    content: string;
                    /**
                     * @description Changes that go with a reply, by snippets.
                     * @default null
                     */
                    actions?: {
                        tags?: string[] | null;
                        /** @enum {string|null} */
                        priority?: "low" | "normal" | "high" | "urgent" | null;
                        /** @enum {string|null} */
                        status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                        /** Format: date-time */
                        snooze_until?: string | null;
                        assignee_id?: string | null;
                    } | null;
                    /**
                     * @default reply
                     * @enum {string|null}
                     */
                    kind?: "reply" | "note" | null;
                    /** @description The `updated_at` of the draft that the text continues; null if there was none. Absent: it replaces any. */
                    base_updated_at?: string | null;
                    /** @description The text to keep beside it; null for none. Absent: what is there stays. */
                    other?: {
                        content: string;
                        /**
                         * @description Changes that go with a reply, by snippets.
                         * @default null
                         */
                        actions?: {
                            tags?: string[] | null;
                            /** @enum {string|null} */
                            priority?: "low" | "normal" | "high" | "urgent" | null;
                            /** @enum {string|null} */
                            status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                            /** Format: date-time */
                            snooze_until?: string | null;
                            assignee_id?: string | null;
                        } | null;
                    } | null;
                    /**
                     * Format: date-time
                     * @description The `saved_at` of the `other` that the caller has seen. If it is a different one, it stays below the new `other`.
                     */
                    other_saved_at?: string | null;
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
                    "application/json": components["schemas"]["InboxDraft"];
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["DraftMovedOn"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             *
             *     `invalid_kind`: kind must be a kind of source.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_content" | "invalid_kind";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteDraft: {
        parameters: {
            query?: {
                /** @description Absent: both. */
                kind?: "reply" | "note";
                /** @description Deletes only this version, else answers `draft_moved_on`. */
                base_updated_at?: string;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["DraftMovedOn"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_kind`: kind must be a kind of source.
             *
             *     `invalid_body`: The body must be a JSON object.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_kind" | "invalid_body";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listInbox: {
        parameters: {
            query?: {
                /** @description One of the views that every inbox has. The other filters narrow it down. */
                view?: "waiting" | "mine" | "unread" | "sla_at_risk" | "snoozed" | "low_confidence" | "open" | "resolved" | "all";
                status?: ("open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived")[];
                channel?: string[];
                /** @description The id of a person, or `me`, or `none`. */
                assignee?: string;
                /** @description A conversation must have all of them. */
                tag?: string[];
                priority?: ("low" | "normal" | "high" | "urgent")[];
                unread?: "true" | "false";
                waiting?: "true" | "false";
                has_draft?: "true" | "false";
                /** @description Words that one message contains, in any form and order. */
                q?: string;
                /** @description The address of the customer. */
                email?: string;
                /** @description A part of the name, address or phone number of the customer. */
                customer?: string;
                since?: string;
                until?: string;
                /** @description With a message, a change, a note or feedback at or after this time. */
                updated_since?: string;
                sla_state?: "in_compliance" | "at_risk" | "breached";
                /** @description The rating that the visitor gave to one of the answers. */
                feedback?: "up" | "down";
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description latest: latest activity first. waiting: longest wait for a person first. sla_due: the target that is missed next first. Conversations without a wait or target follow. Defaults to what suits the view. */
                sort?: "latest" | "waiting" | "sla_due";
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
                        conversations: components["schemas"]["InboxRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_view`: view must be one of the documented views.
             *
             *     `invalid_status`: status must be one of the documented values.
             *
             *     `invalid_channel`: channel must be one of the documented values.
             *
             *     `invalid_assignee`: assignee must be "me", "none" or the id of a person.
             *
             *     `invalid_tag`: tag must be 1 to 64 characters long.
             *
             *     `invalid_priority`: priority must be "low", "normal", "high" or "urgent".
             *
             *     `invalid_unread`: unread must be true or false.
             *
             *     `invalid_waiting`: waiting must be "true" or "false".
             *
             *     `invalid_has_draft`: has_draft must be "true" or "false".
             *
             *     `invalid_q`: q must be 1 to 1,000 characters long.
             *
             *     `invalid_email`: email must be an email address.
             *
             *     `invalid_customer`: customer must be an object with email, name and phone, each a string or null; as a filter, a string of 1 to 200 characters.
             *
             *     `invalid_since`: since must be an ISO 8601 time.
             *
             *     `invalid_until`: until must be an ISO 8601 time.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_sla_state`: sla_state must be "in_compliance", "at_risk" or "breached".
             *
             *     `invalid_feedback`: feedback must be "up" or "down".
             *
             *     `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_sort`: sort must be "latest", "waiting" or "sla_due".
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_view" | "invalid_status" | "invalid_channel" | "invalid_assignee" | "invalid_tag" | "invalid_priority" | "invalid_unread" | "invalid_waiting" | "invalid_has_draft" | "invalid_q" | "invalid_email" | "invalid_customer" | "invalid_since" | "invalid_until" | "invalid_body" | "invalid_sla_state" | "invalid_feedback" | "invalid_limit" | "invalid_cursor" | "invalid_sort";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    countInbox: {
        parameters: {
            query?: {
                /** @description With `answers_today`. */
                answers?: "true" | "false";
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
                        views: {
                            waiting: number;
                            mine: number;
                            unread: number;
                            sla_at_risk: number;
                            snoozed: number;
                            low_confidence: number;
                            open: number;
                            resolved: number;
                            all: number;
                        };
                        /** @description Questions that were answered without a person since midnight. */
                        answers_today?: {
                            answered: number;
                            /** @description Of those, with low confidence. */
                            low: number;
                        };
                        /** @description By the id of the saved view. */
                        saved: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listViews: {
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
                        views: components["schemas"]["SavedView"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createView: {
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
                 *       "name": "Returns",
                 *       "filters": {
                 *         "view": "open",
                 *         "tag": [
                 *           "returns"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    /**
                     * @description Whether everybody in the workspace has the view.
                     * @default false
                     */
                    shared?: boolean | null;
                    filters: {
                        /** @enum {string|null} */
                        view?: "waiting" | "mine" | "unread" | "sla_at_risk" | "snoozed" | "low_confidence" | "open" | "resolved" | "all" | null;
                        status?: ("open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived")[] | null;
                        channel?: string[] | null;
                        /** @description The id of a person, or `me`, or `none`. */
                        assignee?: string | null;
                        /** @description A conversation must have all of them. */
                        tag?: string[] | null;
                        priority?: ("low" | "normal" | "high" | "urgent")[] | null;
                        unread?: boolean | null;
                        /** @description The visitor waits for a person. */
                        waiting?: boolean | null;
                        /** @description The caller has a draft in it. */
                        has_draft?: boolean | null;
                        /** @description Words that one message contains, in any form and order. */
                        q?: string | null;
                        /** @description The address of the customer. */
                        email?: string | null;
                        /** @description A part of the name, address or phone number of the customer. */
                        customer?: string | null;
                        /**
                         * Format: date-time
                         * @description Started after this time.
                         */
                        since?: string | null;
                        /**
                         * Format: date-time
                         * @description Started before this time.
                         */
                        until?: string | null;
                        /**
                         * Format: date-time
                         * @description With a message, a change, a note or feedback at or after this time.
                         */
                        updated_since?: string | null;
                        /** @enum {string|null} */
                        sla_state?: "in_compliance" | "at_risk" | "breached" | null;
                        /**
                         * @description The rating that the visitor gave to one of the answers.
                         * @enum {string|null}
                         */
                        feedback?: "up" | "down" | null;
                    };
                    /**
                     * @default latest
                     * @enum {string|null}
                     */
                    sort?: "latest" | "waiting" | "sla_due" | null;
                    /**
                     * @description Views are sorted by it.
                     * @default 0
                     */
                    place?: number | null;
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
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity6"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                view_id: string;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound12"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                view_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    /** @description Whether everybody in the workspace has the view. */
                    shared?: boolean | null;
                    filters?: {
                        /** @enum {string|null} */
                        view?: "waiting" | "mine" | "unread" | "sla_at_risk" | "snoozed" | "low_confidence" | "open" | "resolved" | "all" | null;
                        status?: ("open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived")[] | null;
                        channel?: string[] | null;
                        /** @description The id of a person, or `me`, or `none`. */
                        assignee?: string | null;
                        /** @description A conversation must have all of them. */
                        tag?: string[] | null;
                        priority?: ("low" | "normal" | "high" | "urgent")[] | null;
                        unread?: boolean | null;
                        /** @description The visitor waits for a person. */
                        waiting?: boolean | null;
                        /** @description The caller has a draft in it. */
                        has_draft?: boolean | null;
                        /** @description Words that one message contains, in any form and order. */
                        q?: string | null;
                        /** @description The address of the customer. */
                        email?: string | null;
                        /** @description A part of the name, address or phone number of the customer. */
                        customer?: string | null;
                        /**
                         * Format: date-time
                         * @description Started after this time.
                         */
                        since?: string | null;
                        /**
                         * Format: date-time
                         * @description Started before this time.
                         */
                        until?: string | null;
                        /**
                         * Format: date-time
                         * @description With a message, a change, a note or feedback at or after this time.
                         */
                        updated_since?: string | null;
                        /** @enum {string|null} */
                        sla_state?: "in_compliance" | "at_risk" | "breached" | null;
                        /**
                         * @description The rating that the visitor gave to one of the answers.
                         * @enum {string|null}
                         */
                        feedback?: "up" | "down" | null;
                    } | null;
                    /** @enum {string|null} */
                    sort?: "latest" | "waiting" | "sla_due" | null;
                    /** @description Views are sorted by it. */
                    place?: number | null;
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
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound12"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity6"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listAgents: {
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
                        agents: components["schemas"]["InboxAgent"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    setAvailability: {
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
                 *       "available": true
                 *     }
                 */
                "application/json": {
                    available: boolean;
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
                        agents: components["schemas"]["InboxAgent"][];
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    changeConversations: {
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
                 *       "filters": {
                 *         "view": "snoozed"
                 *       },
                 *       "change": {
                 *         "status": "resolved"
                 *       }
                 *     }
                 */
                "application/json": {
                    ids?: string[] | null;
                    filters?: {
                        /** @enum {string|null} */
                        view?: "waiting" | "mine" | "unread" | "sla_at_risk" | "snoozed" | "low_confidence" | "open" | "resolved" | "all" | null;
                        status?: ("open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived")[] | null;
                        channel?: string[] | null;
                        /** @description The id of a person, or `me`, or `none`. */
                        assignee?: string | null;
                        /** @description A conversation must have all of them. */
                        tag?: string[] | null;
                        priority?: ("low" | "normal" | "high" | "urgent")[] | null;
                        unread?: boolean | null;
                        /** @description The visitor waits for a person. */
                        waiting?: boolean | null;
                        /** @description The caller has a draft in it. */
                        has_draft?: boolean | null;
                        /** @description Words that one message contains, in any form and order. */
                        q?: string | null;
                        /** @description The address of the customer. */
                        email?: string | null;
                        /** @description A part of the name, address or phone number of the customer. */
                        customer?: string | null;
                        /**
                         * Format: date-time
                         * @description Started after this time.
                         */
                        since?: string | null;
                        /**
                         * Format: date-time
                         * @description Started before this time.
                         */
                        until?: string | null;
                        /**
                         * Format: date-time
                         * @description With a message, a change, a note or feedback at or after this time.
                         */
                        updated_since?: string | null;
                        /** @enum {string|null} */
                        sla_state?: "in_compliance" | "at_risk" | "breached" | null;
                        /**
                         * @description The rating that the visitor gave to one of the answers.
                         * @enum {string|null}
                         */
                        feedback?: "up" | "down" | null;
                    } | null;
                    change: {
                        /** @enum {string|null} */
                        status?: "open" | "claimed" | "escalated" | "snoozed" | "resolved" | "archived" | null;
                        /** Format: date-time */
                        snooze_until?: string | null;
                        assignee_id?: string | null;
                        /** @enum {string|null} */
                        priority?: "low" | "normal" | "high" | "urgent" | null;
                        add_tags?: string[] | null;
                        remove_tags?: string[] | null;
                        /**
                         * @description Deletes the conversations with their messages. Starts after ten seconds, until which it can be undone.
                         * @enum {boolean|null}
                         */
                        delete?: true | null;
                    };
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationAction"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_snooze_until`: snooze_until must be an ISO 8601 time in the future.
             *
             *     `invalid_assignee_id`: assignee_id must be a person who may reply in this workspace, or null.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_ids`: ids must be an array of 1 to 100 document ids, or 1 to 1,000 conversation ids.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_snooze_until" | "invalid_assignee_id" | "invalid_body" | "invalid_ids";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getConversationAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                action_id: string;
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
                    "application/json": components["schemas"]["ConversationAction"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound13"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    abortConversationAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                action_id: string;
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
                    "application/json": components["schemas"]["ConversationAction"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound13"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    undoConversationAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                action_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationAction"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound13"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `action_not_undoable`: This can no longer be undone. Change the conversations back instead. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "action_not_undoable";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listMentions: {
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
                        mentions: components["schemas"]["Mention"][];
                        /** @description How many of them are not read. */
                        unread: number;
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    readMentions: {
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
                 *       "conversation_id": "conv_01kpq4s8xn5y0e7g2h3j4m6900"
                 *     }
                 */
                "application/json": {
                    conversation_id?: string | null;
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
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_conversation_id`: conversation_id must be a string.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_conversation_id";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    previewReply: {
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
                 *       "content": "Your parcel is **on its way**."
                 *     }
                 */
                "application/json": {
                    /** @default  */
                    content?: string | null;
                    /**
                     * @description Ids of files that the caller uploaded in this conversation, at most 5.
                     * @default []
                     */
                    file_ids?: string[] | null;
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
                    "application/json": components["schemas"]["ReplyPreview"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound9"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `channel_unreachable`: Nothing can be sent to this conversation: the channel is disabled, or the visitor blocked it or opted out.
             *
             *     `channel_window_closed`: The platform's reply window has closed. You can reply after the visitor's next message.
             *
             *     `files_not_possible`: This channel cannot pass files on. Describe the file in words.
             *
             *     `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "channel_unreachable" | "channel_window_closed" | "files_not_possible" | "no_public_address";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_content`: content must be a string that is neither empty nor too long.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_content";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    explainAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                conv_id: string;
                message_id: string;
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
                    "application/json": components["schemas"]["AnswerDecision"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `conversation_not_found`: The conversation does not exist. Check the conversation_id.
             *
             *     `message_not_found`: The conversation has no answer with this id. Check the message_id.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "conversation_not_found" | "message_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description Compared by its digits. At least five are required. */
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
             * @description `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity7"];
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
                /** @description Compared by its digits. At least five are required. */
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
             * @description `missing_field`: A required field is missing. Add it and send the request again.
             *
             *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_json`: The body is not valid JSON. Check its syntax.
             *
             *     `invalid_workspace_id`: The workspace_id is malformed. Use the id exactly as the API returned it, in the form ws_… or wt_<id>_<suffix>.
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
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity7"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listMembers: {
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
                        members: components["schemas"]["Member"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                member_id: string;
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
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound14"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "agent" | "viewer";
                    /**
                     * @description The ids of the workspaces that the person may see. Null: all of the owner.
                     * @default null
                     */
                    workspaces?: string[] | null;
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
                        members: components["schemas"]["Member"][];
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound14"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_role`: role must be "owner", "agent" or "viewer".
             *
             *     `invalid_workspaces`: workspaces must be an array of ids of workspaces of this owner, or null for all.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_role" | "invalid_workspaces";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createRecoveryLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                member_id: string;
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
                        /** @description The link that works once. It is shown only here: send it to the person. */
                        link: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound14"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["NoPublicAddress"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listInvitations: {
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
                        invitations: components["schemas"]["Invitation"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    createInvitation: {
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
                 *       "email": "ben@acme.example",
                 *       "role": "agent"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string;
                    /** @enum {string} */
                    role: "owner" | "agent" | "viewer";
                    /**
                     * @description The ids of the workspaces that the person may see. Null: all of the owner.
                     * @default null
                     */
                    workspaces?: string[] | null;
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
                        email: string;
                        /** @enum {string} */
                        role: "owner" | "agent" | "viewer";
                        /** @description The ids of the workspaces that the person may see. Null: all of the owner. */
                        workspaces: string[] | null;
                        invited_by: string;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** @description Null: the link was not mailed. */
                        mailed_at: string | null;
                        /** @description Why the mail server did not take the last mail, in its own words. Null: it took it. */
                        mail_fault: string | null;
                        /** @description The link that works once. It is shown only here: send it to the person. */
                        link: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `member_exists`: This person is already a member. Change their role instead.
             *
             *     `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "member_exists" | "no_public_address";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_email`: email must be an email address.
             *
             *     `invalid_role`: role must be "owner", "agent" or "viewer".
             *
             *     `invalid_workspaces`: workspaces must be an array of ids of workspaces of this owner, or null for all.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_body" | "invalid_email" | "invalid_role" | "invalid_workspaces";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    mailInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                invitation_id: string;
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
                        id: string;
                        email: string;
                        /** @enum {string} */
                        role: "owner" | "agent" | "viewer";
                        /** @description The ids of the workspaces that the person may see. Null: all of the owner. */
                        workspaces: string[] | null;
                        invited_by: string;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** @description Null: the link was not mailed. */
                        mailed_at: string | null;
                        /** @description Why the mail server did not take the last mail, in its own words. Null: it took it. */
                        mail_fault: string | null;
                        /** @description The link that works once. It is shown only here: send it to the person. */
                        link: string;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound15"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `mail_not_set_up`: Nothing here sends mail. Set PUBLIC_URL, SMTP_URL and MAIL_FROM, connect an e-mail channel, or copy the link. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "mail_not_set_up";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `rate_limit_day`: Too many requests today. The limit resets at midnight UTC.
             *
             *     `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
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
                        code: "rate_limit_day" | "rate_limit_minute";
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                invitation_id: string;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound15"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getSignIn: {
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
                        provider: components["schemas"]["SignInProvider"] | null;
                        /** @description One for each domain of the provider. */
                        domain_proofs: components["schemas"]["DomainProof"][];
                        /** @description The redirect address to register at the provider. */
                        callback_url: string;
                        /** @description A link that starts the sign-in at the provider. */
                        sign_in_url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["NoPublicAddress"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    saveSignIn: {
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
                    /** @description On the button of the sign-in page. */
                    name: string;
                    /** Format: uri */
                    issuer: string;
                    client_id: string;
                    /** @description Domains of the email addresses that may sign in. Each must be proven by a DNS record, see `domain_proofs`, and the provider must have verified the address. */
                    domains: string[];
                    /**
                     * @description Accepts addresses without `email_verified`, which Entra never sends. Only for a provider whose accounts are made by your company. Addresses with `email_verified` other than `true` are refused in any case.
                     * @default false
                     */
                    trusts_addresses?: boolean | null;
                    /**
                     * @description Of somebody who signs in without an invitation.
                     * @enum {string}
                     */
                    default_role: "agent" | "viewer";
                    /** @default true */
                    enabled?: boolean | null;
                    /**
                     * @description Members must sign in this way. Owners keep their passkey, or their password with a second factor.
                     * @default false
                     */
                    required?: boolean | null;
                    /** @description Stored encrypted and never returned. Leave it out to keep the stored one. */
                    client_secret?: string | null;
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
                        provider: components["schemas"]["SignInProvider"] | null;
                        /** @description One for each domain of the provider. */
                        domain_proofs: components["schemas"]["DomainProof"][];
                        /** @description The redirect address to register at the provider. */
                        callback_url: string;
                        /** @description A link that starts the sign-in at the provider. */
                        sign_in_url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `sign_in_untested`: Test this sign-in before it becomes the only way.
             *
             *     `no_emergency_exit`: No owner could sign in if the provider failed. Let one add a passkey or a second factor first.
             *
             *     `domain_taken`: Another owner of this installation has proven this domain. They must release it first.
             *
             *     `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "sign_in_untested" | "no_emergency_exit" | "domain_taken" | "no_public_address";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `credentials_required`: The settings name a new address, and stored credentials are not sent there. Send the credentials again in this request.
             *
             *     `domain_not_claimable`: Everybody can get an address at this domain, so nobody can claim it. Use a domain of your own.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_issuer`: issuer must be the https address of an OpenID Connect provider.
             *
             *     `invalid_client_id`: client_id must be a string of 1 to 500 characters.
             *
             *     `invalid_domains`: domains must be an array of 1 to 50 domains such as "acme.example".
             *
             *     `invalid_default_role`: default_role must be "agent" or "viewer".
             *
             *     `invalid_enabled`: enabled must be true or false.
             *
             *     `invalid_required`: required must be true or false.
             *
             *     `invalid_client_secret`: client_secret must be a string of 1 to 2,000 characters.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "credentials_required" | "domain_not_claimable" | "invalid_body" | "invalid_name" | "invalid_issuer" | "invalid_client_id" | "invalid_domains" | "invalid_default_role" | "invalid_enabled" | "invalid_required" | "invalid_client_secret";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    removeSignIn: {
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
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound16"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    testSignIn: {
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
                        url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `provider_sign_in_failed`: The sign-in at your company did not work. Start it again.
             *
             *     `permission_denied`: Your role does not allow this. Ask an owner of the workspace to do it or to change your role.
             *
             *     `cross_site_request`: This request did not come from the dashboard. Send it from the address that the dashboard was opened at.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "provider_sign_in_failed" | "permission_denied" | "cross_site_request";
                    };
                };
            };
            404: components["responses"]["NotFound16"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["NoPublicAddress"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    checkSignInDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace_id: string;
                domain: string;
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
                        provider: components["schemas"]["SignInProvider"] | null;
                        /** @description One for each domain of the provider. */
                        domain_proofs: components["schemas"]["DomainProof"][];
                        /** @description The redirect address to register at the provider. */
                        callback_url: string;
                        /** @description A link that starts the sign-in at the provider. */
                        sign_in_url: string;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `domain_not_found`: This domain is not one of the sign-in. Save it first.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "workspace_not_found" | "domain_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `domain_taken`: Another owner of this installation has proven this domain. They must release it first.
             *
             *     `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "domain_taken" | "no_public_address";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /** @description `domain_not_claimable`: Everybody can get an address at this domain, so nobody can claim it. Use a domain of your own. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "domain_not_claimable";
                    };
                };
            };
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
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description The exact name of the person, API key or process. */
                actor?: string;
                /** @description Such as member_invited. */
                action?: string;
                /** @description Returns entries at or after this time. */
                since?: string;
                /** @description Returns entries before this time. */
                until?: string;
                /** @description Whether the entries of single conversations are returned as well. */
                conversations?: "true" | "false";
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
                        audit_log: components["schemas"]["WorkspaceAuditEntry"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_actor`: actor must be 1 to 200 characters long.
             *
             *     `invalid_action`: action must be one of the documented values.
             *
             *     `invalid_conversations`: conversations must be "true" or "false".
             *
             *     `invalid_limit`: limit must be an integer from 1 to 100.
             *
             *     `invalid_cursor`: cursor must be a next_cursor that this list returned.
             *
             *     `invalid_since`: since must be an ISO 8601 time.
             *
             *     `invalid_until`: until must be an ISO 8601 time.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_actor" | "invalid_action" | "invalid_conversations" | "invalid_limit" | "invalid_cursor" | "invalid_since" | "invalid_until";
                    };
                };
            };
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    exportWorkspaceAuditLog: {
        parameters: {
            query?: {
                /** @description The exact name of the person, API key or process. */
                actor?: string;
                /** @description Such as member_invited. */
                action?: string;
                /** @description Returns entries at or after this time. */
                since?: string;
                /** @description Returns entries before this time. */
                until?: string;
                /** @description Whether the entries of single conversations are returned as well. */
                conversations?: "true" | "false";
            };
            header?: never;
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries as CSV in UTF-8. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_actor`: actor must be 1 to 200 characters long.
             *
             *     `invalid_action`: action must be one of the documented values.
             *
             *     `invalid_conversations`: conversations must be "true" or "false".
             *
             *     `invalid_since`: since must be an ISO 8601 time.
             *
             *     `invalid_until`: until must be an ISO 8601 time.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "invalid_actor" | "invalid_action" | "invalid_conversations" | "invalid_since" | "invalid_until";
                    };
                };
            };
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
                /** @description The next_cursor of the previous page. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
                     * @description The http or https URL that events are posted to, without a user name or password.
                     */
                    url: string;
                    /** @description `*` subscribes to all events, including types that are added later. */
                    events: ("conversation.created" | "message.created" | "message.failed" | "answer.low_confidence" | "message.feedback" | "lead.captured" | "conversation.escalated" | "conversation.status_changed" | "conversation.rated" | "document.indexed" | "document.failed" | "source.held" | "sla.at_risk" | "sla.breached" | "*")[];
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
                        /** @description Why the webhook was disabled. */
                        disabled_reason: string | null;
                        /** Format: date-time */
                        created_at: string;
                        /** @description The secret that signs the events. It is shown only once. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_url`: url must be an http or https URL of at most 2,000 characters.
             *
             *     `invalid_events`: events must be an array of one or more event types, or ["*"] for all.
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
            query?: {
                /** @description With true the deletion can be taken back for a minute. */
                restorable?: "true" | "false";
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound17"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidRestorable"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound17"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
    restoreWebhook: {
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
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound17"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description The next_cursor of the previous page. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound17"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
            /** @description The delivery is queued. */
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
            403: components["responses"]["Forbidden"];
            /**
             * @description `workspace_not_found`: The workspace does not exist. Check its id.
             *
             *     `webhook_not_found`: The webhook does not exist. Check its id.
             *
             *     `delivery_not_found`: The webhook has no delivery with this id. Check the delivery_id.
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
            409: components["responses"]["WebhookDisabled"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    testWebhook: {
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
            /** @description The delivery is queued. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound17"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["WebhookDisabled"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description The next_cursor of the previous page. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
                 *       "description": "Looks up the status of an order. Use it when a visitor asks about their order.",
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
                    /** @description Tells the language model when to use the skill. */
                    description: string;
                    /** @description The arguments of the skill: a JSON Schema (2020-12) for an object, at most 16 KB long, without external references. */
                    parameters: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uri
                     * @description The https URL that calls are posted to, without a user name or password.
                     */
                    url: string;
                    /** @default 10 */
                    timeout_seconds?: number | null;
                    /**
                     * @description verified limits the skill to visitors whose identity is verified.
                     * @default everyone
                     * @enum {string|null}
                     */
                    runs_for?: "everyone" | "verified" | null;
                    /** @default true */
                    enabled?: boolean | null;
                    /** @description The name that the model calls the skill by. It must be unique in the workspace. */
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
                        /** @description The secret that signs the calls. It is shown only once. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_description`: description must be a string of 1 to 1,000 characters.
             *
             *     `invalid_parameters`: parameters must be a JSON Schema (2020-12) for an object, at most 16 KB long.
             *
             *     `invalid_url`: url must be an http or https URL of at most 2,000 characters.
             *
             *     `invalid_timeout_seconds`: timeout_seconds must be an integer from 1 to 20.
             *
             *     `invalid_runs_for`: runs_for must be "everyone" or "verified".
             *
             *     `invalid_enabled`: enabled must be true or false.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound18"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    deleteSkill: {
        parameters: {
            query?: {
                /** @description With true the deletion can be taken back for a minute. */
                restorable?: "true" | "false";
            };
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound18"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidRestorable"];
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
                    /** @description Tells the language model when to use the skill. */
                    description?: string | null;
                    /** @description The arguments of the skill: a JSON Schema (2020-12) for an object, at most 16 KB long, without external references. */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * Format: uri
                     * @description The https URL that calls are posted to, without a user name or password.
                     */
                    url?: string | null;
                    timeout_seconds?: number | null;
                    /**
                     * @description verified limits the skill to visitors whose identity is verified.
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound18"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_description`: description must be a string of 1 to 1,000 characters.
             *
             *     `invalid_parameters`: parameters must be a JSON Schema (2020-12) for an object, at most 16 KB long.
             *
             *     `invalid_url`: url must be an http or https URL of at most 2,000 characters.
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
    restoreSkill: {
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
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound18"];
            408: components["responses"]["ReceiveTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                    /** @description Calls the skill on behalf of this visitor, as if their identity were verified. Defaults to an anonymous visitor. */
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
                        /** @description The text that the visitor would receive unchanged. */
                        says: string | null;
                        /** @description The text that the answer would be based on. */
                        finding: string | null;
                        /** @description The HTTP status of the response. Null if the server did not respond. */
                        status: number | null;
                        /** @description Why the call failed. */
                        error: string | null;
                        duration_ms: number;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound18"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                /** @description The next_cursor of the previous page. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
                 *       "channel": "hosted",
                 *       "name": "Help page",
                 *       "credentials": {},
                 *       "settings": {
                 *         "slug": "help",
                 *         "title": "Help"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The kind of the channel, such as telegram. */
                    channel: string;
                    /** @description Defaults to the kind. */
                    name?: string | null;
                    /**
                     * @description The credentials from the platform, such as bot_token. They are encrypted and never returned.
                     * @default {}
                     */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description Every channel has api_base_url, enabled, and verify (false skips the check of the credentials). The other settings depend on the kind of the channel.
                     * @default {}
                     */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description false rejects requests from the platform.
                     * @default true
                     */
                    enabled?: boolean | null;
                    /** @description The channel whose app this one shares: one of a workspace of the same owner where you may change channels. The operator token may name any. Credentials and settings that are not given here are inherited from it; from the channel of another owner, only the credentials of the app itself. The app that another owner lends is installed by a link instead. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `tenant_taken`: This team already has a channel under this parent channel. Use that channel.
             *
             *     `slug_taken`: Another page already uses this slug. Choose another slug.
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
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `unknown_channel`: This kind of channel does not exist. Check the field channel.
             *
             *     `unknown_parent`: No channel that this workspace may use has the id in parent. Check the id, or ask its owner to lend it.
             *
             *     `invalid_parent`: parent must be the id of a channel of the same kind that has no parent itself.
             *
             *     `credentials_required`: The settings name a new address, and stored credentials are not sent there. Send the credentials again in this request.
             *
             *     `tenancy_not_supported`: Channels of this kind cannot share an app. Leave out parent.
             *
             *     `channel_verification_failed`: The platform rejected the credentials. Check them and try again.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_channel`: channel must be one of the documented values.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_credentials`: credentials must be an object with the credentials that the channel or source requires.
             *
             *     `invalid_settings`: settings contains an invalid value.
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
                        code: "unknown_channel" | "unknown_parent" | "invalid_parent" | "credentials_required" | "tenancy_not_supported" | "channel_verification_failed" | "invalid_body" | "invalid_channel" | "invalid_name" | "invalid_credentials" | "invalid_settings" | "invalid_enabled";
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
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
                    /** @description The credentials from the platform, such as bot_token. They are encrypted and never returned. */
                    credentials?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Every channel has api_base_url, enabled, and verify (false skips the check of the credentials). The other settings depend on the kind of the channel. */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description false rejects requests from the platform. */
                    enabled?: boolean | null;
                    /** @description The owners whose channels may share the app of this one, by installation links. `*` stands for every owner. They never get its tokens. Only for kinds with tenancy. */
                    shareable_with?: string[] | null;
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `slug_taken`: Another page already uses this slug. Choose another slug. */
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
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `unknown_channel`: This kind of channel does not exist. Check the field channel.
             *
             *     `credentials_required`: The settings name a new address, and stored credentials are not sent there. Send the credentials again in this request.
             *
             *     `tenancy_not_supported`: Channels of this kind cannot share an app. Leave out parent.
             *
             *     `invalid_parent`: parent must be the id of a channel of the same kind that has no parent itself.
             *
             *     `channel_verification_failed`: The platform rejected the credentials. Check them and try again.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
             *
             *     `invalid_credentials`: credentials must be an object with the credentials that the channel or source requires.
             *
             *     `invalid_settings`: settings contains an invalid value.
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
                        code: "unknown_channel" | "credentials_required" | "tenancy_not_supported" | "invalid_parent" | "channel_verification_failed" | "invalid_body" | "invalid_name" | "invalid_credentials" | "invalid_settings" | "invalid_enabled";
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            /**
             * @description `no_public_address`: PUBLIC_URL is not set, so this installation has no address for links. Set it and restart the server.
             *
             *     `app_not_installable`: This channel has no app that can be installed. Add the credentials that an installation requires.
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
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_parent`: parent must be the id of a channel of the same kind that has no parent itself.
             *
             *     `tenancy_not_supported`: Channels of this kind cannot share an app. Leave out parent.
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
    listChannelStates: {
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
                        states: components["schemas"]["ChannelState"][];
                        /** @description The last 24 hours of the public API. */
                        api: {
                            questions: number;
                            replies: number;
                            answered: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getChannelChecks: {
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
                    "application/json": components["schemas"]["ChannelChecks"];
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    checkChannel: {
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
                    "application/json": components["schemas"]["ChannelChecks"];
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listChannelDeliveries: {
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
                    "application/json": {
                        deliveries: components["schemas"]["ChannelDelivery"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    listChannelFailures: {
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
                    "application/json": {
                        failures: components["schemas"]["ChannelFailure"][];
                    };
                };
            };
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    retryChannel: {
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
                    "application/json": {
                        retried: number;
                    };
                };
            };
            400: components["responses"]["BadRequest7"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    previewChannel: {
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
                     * @description Every channel has api_base_url, enabled, and verify (false skips the check of the credentials). The other settings depend on the kind of the channel.
                     * @default {}
                     */
                    settings?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description The visitor's language.
                     * @default en
                     */
                    language?: string | null;
                    /**
                     * @description What the preview answers to every question.
                     * @default
                     */
                    say?: string | null;
                    /** @description A page or its domain, such as shop.example. */
                    page?: string | null;
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
                    "application/json": components["schemas"]["ChannelPreview"];
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `unknown_channel`: This kind of channel does not exist. Check the field channel.
             *
             *     `invalid_settings`: settings contains an invalid value.
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_language`: language must be a language code such as "en", or null.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "unknown_channel" | "invalid_settings" | "invalid_body" | "invalid_language";
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
                     * @description How long the old value remains valid. 0 ends it immediately.
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
                        /** @description The new value. It is shown only once. */
                        identity_secret: string;
                        /**
                         * Format: date-time
                         * @description When the old value expires or expired.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity8"];
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
                     * @description How long the old value remains valid. 0 ends it immediately.
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
                         * @description When the old value expires or expired.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity8"];
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
                     * @description How long the old value remains valid. 0 ends it immediately.
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
                        /** @description The new value. It is shown only once. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description When the old value expires or expired.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound17"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity8"];
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
                     * @description How long the old value remains valid. 0 ends it immediately.
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
                        /** @description The new value. It is shown only once. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description When the old value expires or expired.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound18"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity8"];
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
                     * @description How long the old value remains valid. 0 ends it immediately.
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
                        /** @description The new value. It is shown only once. */
                        key: string;
                        /**
                         * Format: date-time
                         * @description When the old value expires or expired.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden3"];
            404: components["responses"]["NotFound5"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `key_expired`: The API key has expired. Create a new key. */
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
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity8"];
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
                     * @description How long the old value remains valid. 0 ends it immediately.
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
                         * @description When the old value expires or expired.
                         */
                        previous_valid_until: string;
                    };
                };
            };
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound19"];
            408: components["responses"]["ReceiveTimeout"];
            /** @description `no_public_token`: This channel has no public token. Only widget channels have one. */
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
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["UnprocessableEntity8"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    hearWorkspaceEvents: {
        parameters: {
            query?: {
                /** @description The stream ends after this number of seconds. */
                seconds?: number;
            };
            header?: never;
            path: {
                workspace_id: string;
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
            400: components["responses"]["BadRequest5"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            /**
             * @description `rate_limit_concurrent`: More than 50 requests of this key are in flight. Wait until some have finished.
             *
             *     `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
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
                        code: "rate_limit_concurrent" | "rate_limit_minute";
                    };
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    setPresence: {
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
                "application/json": {
                    /** @enum {string} */
                    doing: "viewing" | "writing" | "left";
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
            400: components["responses"]["BadRequest6"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound10"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            422: components["responses"]["InvalidBody"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: {
                /** @description true returns the response after indexing has succeeded or failed. */
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
            };
        };
        responses: {
            /** @description With wait: the document is indexed or failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description The document is queued for indexing. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WorkspaceNotFound"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            421: components["responses"]["MisdirectedRequest"];
            /**
             * @description `invalid_wait`: wait must be "true" or "false".
             *
             *     `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_title`: title must be a string of 1 to 500 characters.
             *
             *     `invalid_url`: url must be an http or https URL of at most 2,000 characters.
             *
             *     `invalid_audience`: audience must be an array of audience tags that are configured for the workspace.
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
                /** @description The preferred languages of the page, such as `de-AT,en`. The first supported one is used. */
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
                        /** @description The lower-case hexadecimal HMAC-SHA256 of user_id with the workspace's identity secret as the key. */
                        hash?: string | null;
                        name?: string | null;
                        email?: string | null;
                    } | null;
                    /** @description A JWT (HS256) that is signed with the identity secret. */
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
             * @description `verification_required`: This workspace requires verified visitors. Send user.hash or verification_token.
             *
             *     `origin_not_allowed`: This origin is not allowed to call this URL. Add it to the setting allowed_domains of the channel.
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
                    /** @description The message. It may be empty only if there are files. */
                    query: string;
                    /**
                     * @description The ids of files that were uploaded with POST …/files.
                     * @default []
                     */
                    files?: string[] | null;
                    /** @description The page of the site that the visitor is on. It is shown to agents. */
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
            403: components["responses"]["Forbidden5"];
            404: components["responses"]["NotFound20"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_query`: query must be a string.
             *
             *     `invalid_files`: files must be an array of at most 5 ids of uploaded files.
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
                    /** @description The text of the visitor's button. It is stored as a message and determines the language. */
                    query: string;
                    /** @description The page of the site that the visitor is on. It is shown to agents. */
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
            403: components["responses"]["Forbidden5"];
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
             *     `invalid_email`: email must be an email address.
             *
             *     `invalid_name`: name must be one line of 1 to 200 characters, for people and identity providers of 1 to 80; there and for workspaces without web addresses.
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
             * @description `invalid_multipart`: The multipart body cannot be read. Send a complete multipart/form-data body with its boundary.
             *
             *     `malformed_request`: The request is not valid HTTP, or its URL is malformed. Check the URL, the headers and the encoding.
             *
             *     `invalid_json`: The body is not valid JSON. Check its syntax.
             *
             *     `missing_field`: A required field is missing. Add it and send the request again.
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
             * @description `origin_not_allowed`: This origin is not allowed to call this URL. Add it to the setting allowed_domains of the channel.
             *
             *     `attachments_off`: This channel does not accept files. Switch on its setting attachments.
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
            /** @description `too_many_files`: The file storage of this workspace is full. Delete files, or wait until old ones expire. */
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
            422: components["responses"]["UnprocessableEntity4"];
            /**
             * @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
             *
             *     `challenge_required`: Too many requests. Solve the proof of work in the Challenge header, or retry later.
             *
             *     `rate_limit_day`: Too many requests today. The limit resets at midnight UTC.
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
                /** @description The next_cursor of the previous page. */
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
                /** @description The stream ends after this number of seconds. Useful for clients that read a response only as a whole. */
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
             * @description `rate_limit_minute`: Too many requests in this minute. Retry after the number of seconds in the Retry-After header.
             *
             *     `rate_limit_concurrent`: More than 50 requests of this key are in flight. Wait until some have finished.
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
                    /** @description Null removes the rating and its comment. */
                    value: ("up" | "down") | null;
                    /** @description A comment in the visitor's own words. If it is left out, an earlier comment on the same value is kept. */
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
             * @description `channel_not_found`: The channel does not exist. Check its id.
             *
             *     `message_not_found`: The conversation has no answer with this id. Check the message_id.
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
    typeAsVisitor: {
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
    rateAsVisitor: {
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
                /**
                 * @example {
                 *       "score": 5
                 *     }
                 */
                "application/json": {
                    score: number;
                    comment?: string | null;
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
            /** @description `rating_not_asked`: No rating is asked for. A person has to resolve the conversation first. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "rating_not_asked";
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            /**
             * @description `invalid_body`: The body must be a JSON object.
             *
             *     `invalid_score`: score must be an integer from 1 to 5.
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
                        code: "invalid_body" | "invalid_score" | "invalid_comment";
                    };
                };
            };
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
            404: components["responses"]["NotFound20"];
            408: components["responses"]["ReceiveTimeout"];
            413: components["responses"]["PayloadTooLarge2"];
            415: components["responses"]["UnsupportedMediaType2"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                name: string;
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
            400: components["responses"]["MalformedRequest"];
            /** @description `attachment_not_found`: The file does not exist, or its platform has deleted it. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code: "attachment_not_found";
                    };
                };
            };
            408: components["responses"]["ReceiveTimeout"];
            429: components["responses"]["RateLimitMinute"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Deploying2"];
        };
    };
}
