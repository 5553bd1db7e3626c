/** Returns the sessions page of the web UI, as Spark 4.1.1 writes it. */
export const page = (online: number | string, sessions = 1, requests = 2) => `<html><body><ul class="list-unstyled">
      <li><strong>Time since start: </strong>42 seconds 18 ms</li>
    </ul><br/><h4>
          ${online}
          session(s) are online,
          running
          0
          Request(s)
        </h4><span><h4><a>Session Statistics (${sessions})</a></h4></span><span><h4><a>Request Statistics (${requests})</a></h4></span></body></html>`;
