package io.tenure.verification.broken;

import java.util.logging.Logger;

final class Logging {
    static final Logger LOGGER = Logger.getLogger("broken");
    static final System.Logger SYSTEM_LOGGER = System.getLogger("broken");
}
