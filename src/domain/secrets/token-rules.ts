/** Rule for tokens with a fixed prefix. */
export interface TokenRule {
  readonly kind: string;
  /** Fixed texts in the token; case-sensitive. */
  readonly anchors: readonly string[];
  /** Maximum length of the token before its anchor. */
  readonly before?: number;
  /** Matches the whole token. Repeats only single characters, with an upper limit. */
  readonly token: RegExp;
  /** Minimum Shannon entropy in bits per character; excludes placeholders. */
  readonly entropy?: number;
}

const rule = (
  kind: string,
  anchors: string,
  token: RegExp,
  more: Pick<TokenRule, "before" | "entropy"> = {},
): TokenRule => ({ kind, anchors: anchors.split(" "), token: new RegExp(token, `${token.flags}y`), ...more });

/**
 * Tokens of services. Kinds and formats follow the rules of gitleaks 8.30 (MIT, see NOTICE) for tokens with a
 * fixed prefix, rewritten to match only at their anchors.
 */
export const TOKEN_RULES: readonly TokenRule[] = [
  rule(
    "1password-secret-key",
    "A3-",
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/,
    { entropy: 3.8 },
  ),
  rule("1password-service-account-token", "ops_eyJ", /ops_eyJ[a-zA-Z0-9+/]{250,2000}={0,3}/, { entropy: 4 }),
  rule("adobe-client-secret", "p8e-", /p8e-[a-z0-9]{32}/i, { entropy: 3 }),
  rule("age-secret-key", "AGE-SECRET-KEY-1", /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/, {
    entropy: 3,
  }),
  rule("alibaba-access-key-id", "LTAI", /LTAI[a-z0-9]{20}/i, { entropy: 3 }),
  rule("anthropic-api-key", "sk-ant-", /sk-ant-[a-z]{3,8}\d\d-[\w-]{80,120}/, { entropy: 3 }),
  rule("artifactory-api-key", "AKCp", /AKCp[A-Za-z0-9]{69}/, { entropy: 4.5 }),
  rule("aws-access-key-id", "AKIA ASIA ABIA ACCA", /A(?:KI|SI|BI|CC)A[A-Z2-7]{16}/, { entropy: 3 }),
  rule("aws-bedrock-api-key", "ABSK", /ABSK[A-Za-z0-9+/]{109,269}={0,2}/, { entropy: 3 }),
  rule(
    "aws-bedrock-api-key",
    "bedrock-api-key-",
    /bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[\w+/=-]{40,2000}/,
  ),
  rule("azure-ad-client-secret", "Q~", /[\w~.]{3}\dQ~[\w~.-]{31,34}/, { before: 4, entropy: 3 }),
  rule("clojars-api-token", "CLOJARS_", /CLOJARS_[a-z0-9]{60}/i, { entropy: 3 }),
  rule("cloudflare-origin-ca-key", "v1.0-", /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/, { entropy: 3 }),
  rule("ctxdb-api-key", "ctx_", /ctx_[\w-]{43}/, { entropy: 3.5 }),
  rule("databricks-api-token", "dapi", /dapi[a-f0-9]{32}(?:-\d)?/, { entropy: 3 }),
  rule("digitalocean-token", "doo_v1_ dop_v1_ dor_v1_", /do[opr]_v1_[a-f0-9]{64}/, { entropy: 3 }),
  rule(
    "discord-webhook",
    "discord.com/api/webhooks/",
    /discord\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,72}/,
    { entropy: 3 },
  ),
  rule(
    "doppler-token",
    "dp.pt. dp.st. dp.sa. dp.ct.",
    /dp\.(?:pt|sa|ct|st(?:\.[\w-]{2,35})?)\.[a-z0-9]{40,44}/i,
    { entropy: 3 },
  ),
  rule("duffel-api-token", "duffel_", /duffel_(?:test|live)_[\w=-]{43}/, { entropy: 3 }),
  rule("dynatrace-api-token", "dt0c01.", /dt0c01\.[a-z0-9]{24}\.[a-z0-9]{64}/i, { entropy: 4 }),
  rule("easypost-api-token", "EZAK EZTK", /EZ[AT]K[a-z0-9]{54}/i, { entropy: 3 }),
  rule("facebook-page-access-token", "EAAM EAAC", /EAA[MC][a-z0-9]{100,500}/i, { entropy: 4 }),
  rule("flutterwave-key", "FLWSECK_TEST- FLWSECK-", /FLWSECK(?:_TEST)?-[a-z0-9]{12,32}(?:-X)?/i, {
    entropy: 3,
  }),
  rule("flyio-access-token", "fo1_", /fo1_[\w-]{43}/, { entropy: 3.5 }),
  rule("flyio-access-token", "fm1a_ fm1r_ fm2_", /fm(?:1[ar]|2)_[a-zA-Z0-9+/]{100,1000}={0,3}/, {
    entropy: 4,
  }),
  rule("frameio-api-token", "fio-u-", /fio-u-[\w=-]{64}/, { entropy: 3 }),
  rule("gcp-api-key", "AIza", /AIza[\w-]{35}/, { entropy: 3.5 }),
  rule("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", /gh[pousr]_[0-9a-zA-Z]{36}/, { entropy: 3 }),
  rule("github-fine-grained-token", "github_pat_", /github_pat_\w{82}/, { entropy: 3 }),
  rule("gitlab-cicd-job-token", "glcbt-", /glcbt-[0-9a-zA-Z]{1,5}_[\w-]{20}/, { entropy: 3 }),
  rule(
    "gitlab-token",
    "gldt- glffct- glft- glrt- glsoat- glpat-",
    /gl(?:dt|ffct|ft|rt|soat|pat)-[\w-]{20,300}(?:\.[0-9a-z]{2}[0-9a-z]{7})?/,
    { entropy: 3 },
  ),
  rule(
    "gitlab-token",
    "glimt- glptt- glagent- gloas-",
    /gl(?:imt-[\w-]{25}|ptt-[0-9a-f]{40}|agent-[\w-]{50}|oas-[\w-]{64})/,
    { entropy: 3 },
  ),
  rule("gitlab-runner-token", "GR1348941", /GR1348941[\w-]{20}/, { entropy: 3 }),
  rule("gitlab-session-cookie", "_gitlab_session=", /_gitlab_session=[0-9a-z]{32}/, { entropy: 3 }),
  rule("google-oauth-client-secret", "GOCSPX-", /GOCSPX-[\w-]{28}/, { entropy: 3 }),
  rule("google-oauth-access-token", "ya29.", /ya29\.[\w-]{40,1000}/, { entropy: 3.5 }),
  rule("grafana-api-key", "eyJrIjoi", /eyJrIjoi[A-Za-z0-9]{70,400}={0,3}/, { entropy: 3 }),
  rule("grafana-cloud-api-token", "glc_", /glc_[A-Za-z0-9+/]{32,400}={0,3}/, { entropy: 3 }),
  rule("grafana-service-account-token", "glsa_", /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/, { entropy: 3 }),
  rule("harness-api-key", "pat. sat.", /[ps]at\.[\w-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}/, { entropy: 3 }),
  rule("hashicorp-tf-api-token", ".atlasv1.", /[a-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/i, {
    before: 14,
    entropy: 3.5,
  }),
  rule("heroku-api-key", "HRKU-AA", /HRKU-AA[\w-]{58}/, { entropy: 4 }),
  rule("huggingface-access-token", "hf_ api_org_", /(?:hf|api_org)_[a-zA-Z]{34}/, { entropy: 3.5 }),
  rule("infracost-api-token", "ico-", /ico-[a-zA-Z0-9]{32}/, { entropy: 3.5 }),
  rule("intra42-client-secret", "s-s4t2ud- s-s4t2af-", /s-s4t2(?:ud|af)-[a-f0-9]{64}/, { entropy: 3 }),
  rule("jwt", "eyJ", /eyJ[\w-]{14,2000}\.eyJ[\w-]{14,4000}\.[\w-]{10,1000}/, { entropy: 3.5 }),
  rule("linear-api-key", "lin_api_", /lin_api_[a-z0-9]{40}/i, { entropy: 3 }),
  rule("maxmind-license-key", "_mmk", /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/, { before: 36, entropy: 4 }),
  rule(
    "microsoft-teams-webhook",
    ".webhook.office.com/webhookb2/",
    /\.webhook\.office\.com\/webhookb2\/[\w-]{36}@[\w-]{36}\/IncomingWebhook\/[a-z0-9]{32}\/[\w-]{36}/,
    { entropy: 3 },
  ),
  rule("notion-api-token", "ntn_", /ntn_[0-9]{11}[A-Za-z0-9]{35}/, { entropy: 4 }),
  rule("npm-access-token", "npm_", /npm_[a-z0-9]{36}/i, { entropy: 3.5 }),
  rule("octopus-deploy-api-key", "API-", /API-[A-Z0-9]{26}/, { entropy: 3.5 }),
  rule(
    "openai-api-key",
    "sk-",
    /sk-(?:(?:proj|svcacct|admin)-[\w-]{58,74}|[a-zA-Z0-9]{20})T3BlbkFJ[\w-]{20,74}/,
    { entropy: 3 },
  ),
  rule("openrouter-api-key", "sk-or-v1-", /sk-or-v1-[a-f0-9]{64}/, { entropy: 3 }),
  rule("openshift-user-token", "sha256~", /sha256~[\w-]{43}/, { entropy: 3.5 }),
  rule("perplexity-api-key", "pplx-", /pplx-[a-zA-Z0-9]{48}/, { entropy: 4 }),
  rule(
    "planetscale-token",
    "pscale_tkn_ pscale_oauth_ pscale_pw_",
    /pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}/,
    { entropy: 3 },
  ),
  rule("postman-api-token", "PMAK-", /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/i, { entropy: 3 }),
  rule("prefect-api-token", "pnu_", /pnu_[a-zA-Z0-9]{36}/, { entropy: 3 }),
  rule("pulumi-api-token", "pul-", /pul-[a-f0-9]{40}/, { entropy: 3 }),
  rule("pypi-upload-token", "pypi-AgEIcHlwaS5vcmc", /pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}/, { entropy: 3 }),
  rule("readme-api-token", "rdme_", /rdme_[a-z0-9]{70}/, { entropy: 3 }),
  rule("rubygems-api-token", "rubygems_", /rubygems_[a-f0-9]{48}/, { entropy: 3 }),
  rule("scalingo-api-token", "tk-us-", /tk-us-[\w-]{48}/, { entropy: 3 }),
  rule("sendgrid-api-token", "SG.", /SG\.[\w-]{22}\.[\w-]{43}/, { entropy: 3.5 }),
  rule("sendinblue-api-token", "xkeysib-", /xkeysib-[a-f0-9]{64}-[a-z0-9]{16}/i, { entropy: 3 }),
  rule("sentry-org-token", "sntrys_eyJ", /sntrys_eyJ[a-zA-Z0-9+/]{20,500}={0,2}_[a-zA-Z0-9+/]{43}/, {
    entropy: 4.5,
  }),
  rule("sentry-user-token", "sntryu_", /sntryu_[a-f0-9]{64}/, { entropy: 3.5 }),
  rule("settlemint-access-token", "sm_aat_ sm_pat_ sm_sat_", /sm_[aps]at_[a-zA-Z0-9]{16}/, { entropy: 3 }),
  rule("shippo-api-token", "shippo_live_ shippo_test_", /shippo_(?:live|test)_[a-fA-F0-9]{40}/, {
    entropy: 3,
  }),
  rule("shopify-token", "shpat_ shpca_ shppa_ shpss_", /shp(?:at|[cp]a|ss)_[a-fA-F0-9]{32}/, { entropy: 3 }),
  rule("slack-app-token", "xapp-", /xapp-\d-[A-Z0-9]{8,32}-\d{8,20}-[a-z0-9]{32,100}/i, { entropy: 3 }),
  rule(
    "slack-token",
    "xoxb- xoxp- xoxe- xoxo- xoxs-",
    /xox[bpeos]-\d{1,14}-(?:\d{1,14}-){0,2}[a-zA-Z0-9-]{18,200}/,
    { entropy: 3 },
  ),
  rule("slack-token", "xoxa- xoxr-", /xox[ar]-(?:\d-)?[0-9a-zA-Z-]{20,100}/, { entropy: 3 }),
  rule(
    "slack-webhook-url",
    "hooks.slack.com/",
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{43,56}/,
    { entropy: 3.5 },
  ),
  rule("sourcegraph-access-token", "sgp_", /sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}/, {
    entropy: 3,
  }),
  rule("square-access-token", "sq0atp- sq0csp-", /sq0(?:atp|csp)-[\w-]{22,60}/, { entropy: 3 }),
  rule(
    "stripe-access-token",
    "sk_test_ sk_live_ sk_prod_ rk_test_ rk_live_ rk_prod_",
    /[sr]k_(?:test|live|prod)_[a-zA-Z0-9]{16,200}/,
    { entropy: 3 },
  ),
  rule("twilio-api-key", "SK", /SK[0-9a-f]{32}/, { entropy: 3 }),
  rule("vault-token", "hvs. hvb.", /hv[sb]\.[\w-]{90,300}/, { entropy: 3.5 }),
];
