import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

/** The polling trigger, or the webhook trigger at a push or an activation. */
export type TriggerContext = IPollFunctions | IWebhookFunctions | IHookFunctions;
