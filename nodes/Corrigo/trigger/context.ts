import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

/** The caller is the polling trigger, or the webhook trigger during a push or an activation. */
export type TriggerContext = IPollFunctions | IWebhookFunctions | IHookFunctions;
