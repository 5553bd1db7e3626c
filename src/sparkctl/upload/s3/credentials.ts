import { CommandError } from '../../errors';
import { parseIni, type Ini } from './ini';

/** Credentials, region and server of S3. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Token of temporary credentials. */
  readonly sessionToken?: string;
  readonly region: string;
  /** URL of the server. @default - Amazon's, for the region */
  readonly endpoint?: string;
}

/** Sources of credentials. */
export interface CredentialSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. */
  readonly home: string;
  /** Returns the text of a file; undefined if it does not exist. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

/** Default region. Most servers other than Amazon's ignore the region. */
const DEFAULT_REGION = 'us-east-1';

/** Settings of the AWS command line that get credentials from programs or services. */
const INDIRECT = ['credential_process', 'sso_session', 'sso_start_url', 'role_arn', 'web_identity_token_file', 'login_session'] as const;

const EXPORT = 'run `eval "$(aws configure export-credentials --format env)"` first';

/**
 * Finds credentials as the AWS command line does: in the variables `AWS_*`, else in the profile
 * that `AWS_PROFILE` names (default `default`). Profiles are in ~/.aws/credentials and
 * ~/.aws/config, or in the files that `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name.
 *
 * @param given values of the command line, which take precedence
 * @throws {CommandError} if there are none
 */
export async function s3Credentials(
  { environment, home, readFile }: CredentialSources, given: { readonly region?: string; readonly endpoint?: string } = {},
): Promise<S3Credentials> {
  const name = environment.AWS_PROFILE || 'default';
  const [credentials, config] = await Promise.all([
    readFile(environment.AWS_SHARED_CREDENTIALS_FILE || `${home}/.aws/credentials`),
    readFile(environment.AWS_CONFIG_FILE || `${home}/.aws/config`),
  ]);
  const profile = profileOf(parseIni(credentials ?? ''), parseIni(config ?? ''), name);
  if (environment.AWS_PROFILE && !profile.exists) {
    throw new CommandError(`AWS_PROFILE names the profile ${name}, which is not in ~/.aws/credentials or ~/.aws/config`);
  }
  const keys = keysOf(environment) ?? keysOf({
    AWS_ACCESS_KEY_ID: profile.settings.get('aws_access_key_id'),
    AWS_SECRET_ACCESS_KEY: profile.settings.get('aws_secret_access_key'),
    AWS_SESSION_TOKEN: profile.settings.get('aws_session_token'),
  });
  if (!keys) {
    const indirect = INDIRECT.find((setting) => profile.settings.has(setting));
    throw new CommandError(indirect
      ? `the profile ${name} gets its credentials by ${indirect}, which sparkctl does not support; ${EXPORT}`
      : 'there are no credentials for the upload; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, '
        + `or name a profile of ~/.aws/credentials in AWS_PROFILE, or ${EXPORT}`);
  }
  return {
    ...keys,
    region: given.region || environment.AWS_REGION || environment.AWS_DEFAULT_REGION || profile.settings.get('region') || DEFAULT_REGION,
    endpoint: given.endpoint || environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL
      || profile.settings.get('endpoint_url') || undefined,
  };
}

function keysOf(
  { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token }: CredentialSources['environment'],
): Pick<S3Credentials, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'> | undefined {
  return id && secret ? { accessKeyId: id, secretAccessKey: secret, ...(token && { sessionToken: token }) } : undefined;
}

/**
 * Returns a profile of both files. In the config file, other profiles than the default are named
 * `profile NAME`. Settings of the credentials file take precedence.
 */
function profileOf(
  credentials: Ini, config: Ini, name: string,
): { readonly exists: boolean; readonly settings: ReadonlyMap<string, string> } {
  const found = [config.get(`profile ${name}`) ?? (name === 'default' ? config.get(name) : undefined), credentials.get(name)];
  return { exists: found.some(Boolean), settings: new Map(found.flatMap((settings) => [...settings ?? []])) };
}
