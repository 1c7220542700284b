package io.tenure.verification;

import java.util.List;

/**
 * A test that is named after what it proves, as it is written down: in the class that runs it, or in a suite that
 * several classes run.
 *
 * @param type the class it is written in
 * @param method its name
 * @param runBy the classes that run it
 */
record LawTest(String type, String method, List<String> runBy) {

    int number() {
        return Integer.parseInt(method.replaceFirst("^[a-z]+(\\d\\d)_.*$", "$1"));
    }

    String sentence() {
        return method.substring(method.indexOf('_') + 1).replace('_', ' ');
    }
}
