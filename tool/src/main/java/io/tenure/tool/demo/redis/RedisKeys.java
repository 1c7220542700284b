package io.tenure.tool.demo.redis;

import io.tenure.tool.demo.Names;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where things of the demo are on Redis.
 *
 * @param hash a hash that the leader writes into through the fence
 * @param text a string that the leader writes through the fence
 */
record RedisKeys(Names names, String hash, String text) {

    /** The field of {@link #hash} that is written. */
    static final String FIELD = "writer";

    static RedisKeys of(Names names) {
        return new RedisKeys(names, names.role() + ":hash", names.role() + ":text");
    }

    /** Every key that comes into being. */
    List<String> all() {
        return Stream.concat(
                        Stream.of(names.role(), names.lock())
                                .flatMap(name -> Stream.of(
                                        lease(name),
                                        name + ":fence",
                                        name + ":fence:applied",
                                        waiters(name),
                                        waiters(name) + ":seen")),
                        Stream.of(hash, text))
                .toList();
    }

    /** Where the lease {@code name} is kept. */
    static String lease(String name) {
        return name + ":leader";
    }

    /** Where those who wait for {@code name} stand in line. */
    static String waiters(String name) {
        return name + ":waiters";
    }
}
