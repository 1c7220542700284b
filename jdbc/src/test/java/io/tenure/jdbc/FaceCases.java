package io.tenure.jdbc;

import io.tenure.testkit.faces.BodyLaws;
import io.tenure.testkit.faces.ClaimLaws;
import io.tenure.testkit.faces.DrainLaws;
import io.tenure.testkit.faces.ElectorLaws;
import io.tenure.testkit.faces.EventLaws;
import io.tenure.testkit.faces.LockLaws;
import io.tenure.testkit.faces.PollLaws;
import io.tenure.testkit.faces.Stage;
import io.tenure.testkit.faces.TenureLaws;
import io.tenure.testkit.faces.TermLaws;
import io.tenure.testkit.faces.ThreadLaws;
import io.tenure.testkit.faces.WaitLaws;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The laws of the faces that every database keeps. In parallel: they wait in real time. */
abstract class FaceCases {
    abstract PooledStores stores();

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Bodies extends BodyLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Claims extends ClaimLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Drains extends DrainLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Electors extends ElectorLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Events extends EventLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Locks extends LockLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Polls extends PollLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Tenures extends TenureLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Terms extends TermLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Threads extends ThreadLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }

        @Override
        protected Optional<String> callThreads() {
            return Optional.of("tenure-jdbc");
        }

        @Override
        protected int many() {
            return 300;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Waits extends WaitLaws {
        @Override
        protected Stage openStage() {
            return stores().stage();
        }
    }
}
